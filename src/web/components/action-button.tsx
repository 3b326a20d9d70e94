import type { ComponentChildren } from "preact";
import type { Targets } from "../actions/action.ts";
import { writesAbout } from "../actions/action.ts";
import { usePage } from "../page.ts";
import { Keys } from "./keys.tsx";

interface ActionButtonProps {
  readonly id: string;
  readonly targets?: Targets;
  readonly class?: string;
  readonly children?: ComponentChildren;
}

/** Button for a registered action; hidden if the action is unavailable. */
export function ActionButton({ id, targets, class: look = "button", children }: ActionButtonProps) {
  const page = usePage();
  const action = page.actions.find(id);
  const chosen = targets ?? page.actions.targets.value;
  if (action === undefined || !page.actions.isPossible(action, page, chosen)) return null;
  return (
    <button
      type="button"
      class={action.isDestructive === true ? `${look} danger` : look}
      onClick={() => page.actions.run(action, page, chosen)}
    >
      {children ?? action.title}
      {action.keys !== undefined && <Keys of={action.keys} />}
    </button>
  );
}

/** Menu of all further write operations that accept these items. */
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
