import { stateConflict } from "../../kernel/errors.ts";
import { writeWholeFile } from "./atomic-write.ts";
import type { ToolResult } from "./define-tool.ts";
import type { ResolvedPath } from "./project-paths.ts";
import { readBytes } from "./text-file.ts";
import { countChanges, unifiedDiff } from "./unified-diff.ts";

/** An editor that saved meanwhile would lose what it saved. */
export async function refuseForeignChange(file: ResolvedPath, before: string): Promise<void> {
  const now = (await readBytes(file).catch(() => undefined))?.toString("utf8");
  if (now === before) return;
  throw stateConflict(
    `"${file.shown}" was changed by somebody else in this moment. Nothing was written: read it again.`,
  );
}

/** Writes what an edit made of a file and tells how it changed. */
export async function storeEdit(
  file: ResolvedPath,
  before: string,
  after: string,
): Promise<ToolResult> {
  if (before === after) return { text: `${file.shown} is unchanged: the edit changes nothing.` };
  await refuseForeignChange(file, before);
  await writeWholeFile(file.absolute, after);
  const diff = unifiedDiff(file.shown, before, after);
  const { added, removed } = countChanges(diff);
  const summary = `Edited ${file.shown} (+${added} −${removed})`;
  return { text: `${summary}\n${diff}`, summary, diff };
}
