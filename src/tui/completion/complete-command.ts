import type { CommandHelp } from "../../agent/index.ts";
import type { Completion } from "./completion.ts";

/** Commands that continue what is typed after a slash; undefined when nothing is left to offer. */
export function completeCommand(
  text: string,
  cursor: number,
  commands: readonly CommandHelp[],
): Completion | undefined {
  if (!text.startsWith("/") || text.includes("\n") || cursor !== text.length) return undefined;
  const typed = text.slice(1).toLowerCase();
  const items = commands
    .filter(({ name }) => name.startsWith(typed) || matchesWord(name, typed))
    .map(({ name, summary, usage }) => ({
      insert: usage === undefined ? `/${name}` : `/${name} `,
      label: usage === undefined ? `/${name}` : `/${name} ${usage}`,
      detail: summary,
      isWhole: usage === undefined || usage.startsWith("["),
    }));
  const isTyped = items.length === 1 && items[0]?.insert.trim() === text;
  if (items.length === 0 || isTyped) return undefined;
  return { items, selected: 0, from: 0, to: text.length };
}

/** `add` finds `tasks add`, once enough is typed to mean it. */
function matchesWord(name: string, typed: string): boolean {
  return typed.length > 1 && name.split(" ").some((word) => word.startsWith(typed));
}
