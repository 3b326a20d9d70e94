import type { Targets } from "../actions/action.ts";
import { writesAbout } from "../actions/write-actions.ts";
import { usePage } from "../page.ts";
import { ActionButton } from "./action-button.tsx";

/** Everything else that can be written about these items, by the operations that take them. */
export function MoreWrites({ targets }: { readonly targets: Targets }) {
  const { session } = usePage();
  const ids = targets.matching === undefined ? writesAbout(targets.ids) : [];
  if (!session.canWrite || ids.length === 0) return null;
  return (
    <details class="more-writes">
      <summary class="button">More</summary>
      <div class="item-actions">
        {ids.map((id) => (
          <ActionButton key={id} id={id} targets={targets} />
        ))}
      </div>
    </details>
  );
}
