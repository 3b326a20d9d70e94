import type { ComponentChildren } from "preact";
import type { Targets } from "../actions/action.ts";
import { writesAbout } from "../actions/action.ts";
import { usePage } from "../page.ts";
import { Keys } from "./keys.tsx";
import { Menu } from "./menu.tsx";

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
      {action.keys !== undefined && <Keys keys={action.keys} />}
    </button>
  );
}

interface ActionMenuProps {
  readonly targets: Targets;
  /** Actions before the write operations. */
  readonly ids?: readonly string[];
}

/** Menu of actions and of all further write operations that accept these items. */
export function ActionMenu({ targets, ids = [] }: ActionMenuProps) {
  const page = usePage();
  const writes = targets.matching === undefined ? writesAbout(targets.ids) : [];
  const actions = [...ids, ...writes]
    .map((id) => page.actions.find(id))
    .filter((action) => action !== undefined)
    .filter((action) => page.actions.isPossible(action, page, targets));
  if (actions.length === 0) return null;
  return (
    <Menu
      label="More actions"
      items={actions.map((action) => ({
        title: action.title,
        isDestructive: action.isDestructive === true,
        run: () => page.actions.run(action, page, targets),
      }))}
    />
  );
}
