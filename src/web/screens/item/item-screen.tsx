import { useMemo } from "preact/hooks";
import type { Action } from "../../actions/action.ts";
import { useScreenActions, useTargets } from "../../components/use-screen-actions.ts";
import { usePage } from "../../page.ts";
import { ItemView } from "./item-view.tsx";

export function ItemScreen() {
  const { router } = usePage();
  const { id = "" } = router.place.value;
  useTargets({ ids: [id], count: 1 });
  const actions = useMemo(
    (): readonly Action[] => [
      {
        id: "back",
        title: "Back",
        group: "This screen",
        keys: ["Escape"],
        run: () =>
          history.length > 1 ? history.back() : router.go(router.href({ screen: "find" })),
      },
    ],
    [router],
  );
  useScreenActions(actions);
  return (
    <div class="item-page">
      <ItemView key={id} id={id} />
    </div>
  );
}
