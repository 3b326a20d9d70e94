import type { Editor } from "../editor/editor.ts";
import type { Completion } from "./completion.ts";

const MOST_OFFERED = 50;
const LONGEST_LABEL = 200;

/** What was sent before and has every word that is typed, the latest first. */
export function completeHistory({ text, history }: Editor): Completion | undefined {
  const words = text.toLowerCase().split(/\s+/);
  const found = new Set(
    history.entries.toReversed().filter((entry) => {
      const lower = entry.toLowerCase();
      return words.every((word) => lower.includes(word));
    }),
  );
  const items = [...found].slice(0, MOST_OFFERED).map((entry) => ({
    insert: entry,
    label: entry.replace(/\s+/g, " ").slice(0, LONGEST_LABEL),
    detail: "",
    isWhole: false,
  }));
  return items.length === 0 ? undefined : { items, selected: 0, from: 0, to: text.length };
}
