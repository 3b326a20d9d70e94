import { useMemo, useRef } from "preact/hooks";
import type { Action } from "../../actions/action.ts";
import { useScreenActions } from "../../components/use-screen-actions.ts";
import { usePage } from "../../page.ts";
import type { Item } from "./item-list.ts";
import type { Selection } from "./use-selection.ts";

interface ListKeys {
  readonly rows: readonly Item[];
  readonly sel: string;
  readonly selection: Selection;
}

export function useListKeys(list: ListKeys): void {
  const { router } = usePage();
  const state = useRef(list);
  state.current = list;
  const actions = useMemo((): readonly Action[] => {
    const moveBy = (step: number) => {
      const { rows, sel, selection } = state.current;
      const at = Math.max(0, Math.min(rows.length - 1, selection.cursor + step));
      selection.setCursor(at);
      const id = rows[at]?.id;
      if (sel !== "" && id !== undefined) router.setQuery({ sel: id });
    };
    const at = () => Math.max(0, state.current.selection.cursor);
    const open = () => router.setQuery({ sel: state.current.rows[at()]?.id ?? "" }, "push");
    const leave = () => {
      const { selection } = state.current;
      if (selection.chosen.size === 0 && !selection.isAll) router.setQuery({ sel: "" });
      selection.clear();
    };
    const key = (id: string, title: string, keys: readonly string[], run: () => void) => ({
      id,
      title,
      group: "Lists" as const,
      keys,
      run,
    });
    return [
      key("next", "Next item", ["j", "ArrowDown"], () => moveBy(1)),
      key("previous", "Previous item", ["k", "ArrowUp"], () => moveBy(-1)),
      key("show", "Show beside the list", ["Enter"], open),
      key("choose", "Select", ["x"], () => state.current.selection.choose(at(), false)),
      key("choose-all", "Select all that match", ["Mod+a"], () =>
        state.current.selection.chooseAll(),
      ),
      key("leave", "Close, or clear the selection", ["Escape"], leave),
    ];
  }, [router]);
  useScreenActions(actions);
}
