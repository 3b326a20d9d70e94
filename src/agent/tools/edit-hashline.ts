import { z } from "zod";
import { applyHashlineEdits } from "../edits/hashline.ts";
import { defineTool } from "./define-tool.ts";
import { readEditableText } from "./project-paths.ts";
import { storeEdit } from "./store-edit.ts";
import { unifiedDiff } from "./unified-diff.ts";

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
