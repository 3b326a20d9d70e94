import { z } from "zod";
import { stateConflict } from "../../shared/errors.ts";
import { countChanges, cutLine } from "../../shared/text.ts";
import type { EditOutcome } from "../edits/edit-outcome.ts";
import { hashline } from "../edits/hash-line.ts";
import { applyHashlineEdits } from "../edits/hashline.ts";
import { searchReplace } from "../edits/search-replace.ts";
import { splitLines } from "../edits/split-lines.ts";
import type { AgentSettings } from "../settings.ts";
import { writeWholeFile } from "./atomic-write.ts";
import { defineTool, type ToolResult } from "./define-tool.ts";
import { type ResolvedPath, readBytes, readEditableText } from "./project-paths.ts";
import { unifiedDiff } from "./unified-diff.ts";

export const searchReplaceEditTool = defineTool({
  name: "edit",
  description:
    "Replaces text in a file. `old_text` must match exactly, whitespace included, and occur once " +
    "unless `replace_all` is set.",
  readOnly: false,
  touches: "path",
  aliases: { file_path: "path", old_string: "old_text", new_string: "new_text" },
  input: z.strictObject({
    path: z.string().min(1),
    old_text: z.string().min(1),
    new_text: z.string(),
    replace_all: z.boolean().optional(),
  }),
  uses: ({ path }) => [{ kind: "write", path }],
  async preview({ paths }, input) {
    const file = await paths.forWriting(input.path);
    const before = await readEditableText(file);
    return unifiedDiff(file.shown, before, searchReplace(before, input).text);
  },
  async run({ paths, signal }, input) {
    const file = await paths.forWriting(input.path);
    return paths.exclusively(file, async () => {
      const before = await readEditableText(file);
      const after = searchReplace(before, input);
      signal.throwIfAborted();
      return storeEdit({ file, before, after, editMode: "searchReplace" });
    });
  },
});

export const hashlineEditTool = defineTool({
  name: "edit",
  description:
    "Changes lines of a file, by LINE:HASH anchors from read. Replaces lines `start` to `end` " +
    "(default: `start` only) with `content`; empty `content` deletes them; `insert` adds next to " +
    "`start`. Edits must not overlap; all are applied or none. Returns the new anchors.",
  readOnly: false,
  touches: "path",
  aliases: { file_path: "path" },
  input: z.strictObject({
    path: z.string().min(1),
    edits: z
      .array(
        z.strictObject({
          start: z.string().describe("LINE:HASH of the first line."),
          end: z.string().optional().describe("LINE:HASH of the last line, included."),
          content: z.string().describe("The new lines, without anchors."),
          insert: z.enum(["before", "after"]).optional(),
        }),
      )
      .min(1),
  }),
  uses: ({ path }) => [{ kind: "write", path }],
  async preview({ paths }, { path, edits }) {
    const file = await paths.forWriting(path);
    const before = await readEditableText(file);
    return unifiedDiff(file.shown, before, applyHashlineEdits(before, edits).text);
  },
  async run({ paths, signal }, { path, edits }) {
    const file = await paths.forWriting(path);
    return paths.exclusively(file, async () => {
      const before = await readEditableText(file);
      const after = applyHashlineEdits(before, edits);
      signal.throwIfAborted();
      return storeEdit({ file, before, after, editMode: "hashline" });
    });
  },
});

const MAX_LINES_PER_RANGE = 40;
const MAX_LINES = 120;
const MAX_LENGTH = 500;

function freshAnchors(after: string, diff: string): string {
  const lines = splitLines(after);
  const blocks: string[] = [];
  let left = MAX_LINES;
  for (const { first, count } of changedRanges(diff)) {
    const lineCount = Math.min(count, MAX_LINES_PER_RANGE, left);
    left -= lineCount;
    if (lineCount <= 0) break;
    const head = count <= lineCount ? count : Math.ceil(lineCount / 2);
    const tail = lineCount - head;
    const middle = tail === 0 ? [] : [`[… ${count - lineCount} lines …]`];
    blocks.push(
      [...anchored(first, head), ...middle, ...anchored(first + count - tail, tail)].join("\n"),
    );
  }
  return blocks.join("\n--\n");

  function anchored(first: number, count: number): readonly string[] {
    return lines.slice(first - 1, first - 1 + count).map(({ text }, offset) => {
      const line = hashline(text, first + offset);
      return cutLine(line, MAX_LENGTH);
    });
  }
}

function changedRanges(
  diff: string,
): readonly { readonly first: number; readonly count: number }[] {
  return [...diff.matchAll(/^@@ -\d+(?:,\d+)? \+(\d+)(?:,(\d+))? @@/gm)].map((match) => ({
    first: Number(match[1]),
    count: Number(match[2] ?? 1),
  }));
}

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
  const preview = editMode === "hashline" ? freshAnchors(after.text, diff) : diff;
  return { text: [summary, ...after.notes, preview].join("\n"), summary, diff };
}
