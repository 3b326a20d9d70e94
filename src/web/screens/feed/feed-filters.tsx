import type { EventKind } from "../../../memory/index.ts";
import { DayField } from "../../components/day-field.tsx";
import { Link } from "../../components/link.tsx";
import { Narrowing } from "../../components/narrowing.tsx";
import { FILTERS } from "../../data/filters.ts";
import { usePage } from "../../page.ts";

/** Each kind of event as people read it. */
const KINDS: Readonly<Record<EventKind, string>> = {
  remembered: "remembered",
  superseded: "superseded",
  conflict_opened: "conflict opened",
  conflict_resolved: "conflict resolved",
  conflict_dismissed: "conflict dismissed",
  concept_created: "concept created",
  updated: "updated",
  labeled: "labeled",
  unlabeled: "unlabeled",
  deleted: "deleted",
  restored: "restored",
  processed: "processed",
  source_read: "read on",
  learned: "learned",
  proposed: "proposed",
  accepted: "accepted",
  rejected: "rejected",
};

export const NARROWING = FILTERS.filter(
  ({ name }) => name !== "by" && name !== "as_of" && name !== "known_at",
);

/** Narrows the feed to what happened, by whom, on which day, and to what it was about. */
export function FeedFilters({ isLive }: { readonly isLive: boolean }) {
  const { router } = usePage();
  const { kind = "", author = "", day = "" } = router.place.value.query;
  const set = (change: Record<string, string>) =>
    router.setQuery({ ...change, before: "" }, "push");
  return (
    <div class="feed-filters">
      <label>
        <span class="unseen">What happened</span>
        <select
          class="plain"
          value={kind}
          onChange={({ currentTarget }) => set({ kind: currentTarget.value })}
        >
          <option value="">everything</option>
          {Object.entries(KINDS).map(([name, words]) => (
            <option key={name} value={name}>
              {words}
            </option>
          ))}
        </select>
      </label>
      <label class="by">
        <span class="unseen">By whom</span>
        <input
          placeholder="by anybody"
          value={author}
          onChange={({ currentTarget }) => set({ author: currentTarget.value.trim() })}
        />
      </label>
      <DayField label="Day" value={day} onChange={(chosen) => set({ day: chosen })} />
      {!isLive && (
        <Link class="button" to={router.href({ screen: "feed" })}>
          Newest
        </Link>
      )}
      <form
        class="narrowing"
        onSubmit={(event) => {
          event.preventDefault();
          const given = [...new FormData(event.currentTarget)];
          set(Object.fromEntries(given.map(([name, value]) => [name, String(value).trim()])));
        }}
      >
        <Narrowing filters={NARROWING} query={router.place.value.query}>
          <button type="submit" class="button">
            Show these changes
          </button>
        </Narrowing>
      </form>
    </div>
  );
}
