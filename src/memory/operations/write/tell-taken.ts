import type { z } from "zod";
import type { takenBack } from "./taking-back.ts";

const LINES_SHOWN = 20;

/** Which changes, what that means for the items, and the way back. */
export function tellTaken({ id, undo_of: undone, changeset }: z.output<typeof takenBack>): string {
  const all = changeset.split("\n").filter((line) => line !== "");
  const lines = all.slice(0, LINES_SHOWN).map((line) => `  ${line}`);
  if (all.length > LINES_SHOWN) lines.push(`  … and ${all.length - LINES_SHOWN} more`);
  const what = undone.join(", ");
  return id === null
    ? [`Would take back ${what}:`, ...lines].join("\n")
    : [`Took back ${what}:`, ...lines, `That is ${id}; \`cairn undo ${id}\` reverses it.`].join(
        "\n",
      );
}
