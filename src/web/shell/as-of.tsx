import { usePage } from "../page.ts";
import type { ScreenName } from "../routing/location.ts";

const SHOWS_THEN: Readonly<Partial<Record<ScreenName, string>>> = {
  home: "items stored by then",
  find: "items valid then",
  recall: "recall from items valid then",
  feed: "changes made by then",
  map: "items valid then",
  inbox: "opened by then and still open",
  recalls: "recalls made by then; the filters list today's values",
  item: "version valid then; newer entries are marked",
};

/** Banner on every screen while an earlier state is shown, with a link to the current one. */
export function AsOfBanner() {
  const { router } = usePage();
  const { screen, query } = router.place.value;
  const { as_of: day = "" } = query;
  if (day === "") return null;
  const then = SHOWS_THEN[screen];
  return (
    <div class="banner as-of-banner" role="status">
      As of {day}: {then ?? "this screen shows current data"}.
      <button type="button" class="button" onClick={() => router.setQuery({ as_of: "" }, "push")}>
        Back to today
      </button>
    </div>
  );
}
