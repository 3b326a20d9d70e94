import { setText } from "../editor/editor.ts";
import { done, type Pressed } from "./pressed.ts";
import type { Picker, PickerItem, Screen } from "./screen.ts";

const MAX_OFFERED = 200;
const LONGEST_LABEL = 200;

/** Opens the search through what was sent before, the latest first; it begins with what is typed. */
export function openHistory(screen: Screen): Pressed {
  const latestFirst = new Set(screen.editor.history.entries.toReversed());
  const all = [...latestFirst].map((entry) => ({
    id: entry,
    label: entry.replace(/\s+/g, " ").slice(0, LONGEST_LABEL),
    detail: "",
  }));
  const query = screen.editor.text.replace(/\s+/g, " ").trim();
  const items = findSent(all, query);
  const picker: Picker = { kind: "history", all, items, query, selected: 0 };
  return done({ ...screen, completion: undefined, hint: undefined, picker });
}

export function findSent(all: readonly PickerItem[], query: string): readonly PickerItem[] {
  const words = query.toLowerCase().split(/\s+/);
  return all
    .filter(({ id }) => {
      const text = id.toLowerCase();
      return words.every((word) => text.includes(word));
    })
    .slice(0, MAX_OFFERED);
}

export function takeSent(screen: Screen, { id }: PickerItem): Pressed {
  return done({ ...screen, picker: undefined, editor: setText(screen.editor, id) });
}
