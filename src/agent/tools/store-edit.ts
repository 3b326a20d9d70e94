import { stateConflict } from "../../shared/errors.ts";
import { countChanges } from "../../shared/text.ts";
import type { EditOutcome } from "../edits/edit-outcome.ts";
import { freshAnchors } from "../edits/fresh-anchors.ts";
import type { AgentSettings } from "../settings.ts";
import { writeWholeFile } from "./atomic-write.ts";
import type { ToolResult } from "./define-tool.ts";
import type { ResolvedPath } from "./project-paths.ts";
import { readBytes } from "./project-paths.ts";
import { unifiedDiff } from "./unified-diff.ts";

/** Refuses to overwrite changes that an editor saved in the meantime. */
export async function refuseForeignChange(file: ResolvedPath, before: string): Promise<void> {
  const now = (await readBytes(file).catch(() => undefined))?.toString("utf8");
  if (now === before) return;
  throw stateConflict(
    `"${file.shown}" was just changed by someone else. Nothing was written: read it again.`,
  );
}

export interface EditToStore {
  readonly file: ResolvedPath;
  readonly before: string;
  readonly after: EditOutcome;
  readonly editMode: AgentSettings["editMode"];
}

/** Writes an edited file and returns the changed lines with anchors for the next edit. */
export async function storeEdit(edit: EditToStore): Promise<ToolResult> {
  const { file, before, after, editMode } = edit;
  if (before === after.text)
    return { text: `${file.shown} is unchanged: the edit changes nothing.` };
  await refuseForeignChange(file, before);
  await writeWholeFile(file.absolute, after.text);
  const diff = unifiedDiff(file.shown, before, after.text);
  const { added, removed } = countChanges(diff);
  const summary = `Edited ${file.shown} (+${added} −${removed})`;
  const shown = editMode === "hashline" ? freshAnchors(after.text, diff) : diff;
  return { text: [summary, ...after.notes, shown].join("\n"), summary, diff };
}
