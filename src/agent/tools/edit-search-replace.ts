import { z } from "zod";
import { searchReplace } from "../edits/search-replace.ts";
import { defineTool } from "./define-tool.ts";
import { readEditableText } from "./project-paths.ts";
import { storeEdit } from "./store-edit.ts";
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
