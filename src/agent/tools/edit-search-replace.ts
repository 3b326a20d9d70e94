import { z } from "zod";
import { invalidInput } from "../../kernel/errors.ts";
import { defineTool } from "./define-tool.ts";
import { storeEdit } from "./store-edit.ts";
import { readEditableText } from "./text-file.ts";
import { unifiedDiff } from "./unified-diff.ts";

export const searchReplaceEditTool = defineTool({
  name: "edit",
  description:
    "Replaces text in a file. old_text must be exactly what the file holds, white space included, " +
    "and occur once, unless replace_all is set.",
  readOnly: false,
  touches: "path",
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
    return unifiedDiff(file.shown, before, searchReplace(before, input));
  },
  async run({ paths, signal }, input) {
    const file = await paths.forWriting(input.path);
    return paths.exclusively(file, async () => {
      const before = await readEditableText(file);
      const after = searchReplace(before, input);
      signal.throwIfAborted();
      return storeEdit(file, before, after);
    });
  },
});

interface SearchReplace {
  readonly old_text: string;
  readonly new_text: string;
  readonly replace_all?: boolean | undefined;
}

/** The replacement is literal. In a file of CRLF lines the given texts may have plain newlines. */
function searchReplace(text: string, edit: SearchReplace): string {
  const { old_text, new_text, replace_all = false } = edit;
  const asGiven = text.split(old_text);
  if (asGiven.length === 1 && text.includes("\r\n")) {
    const [wanted, replacement] = [old_text, new_text].map((part) =>
      part.replace(/\r?\n/g, "\r\n"),
    );
    if (wanted !== undefined && wanted !== old_text && replacement !== undefined) {
      return searchReplace(text, { old_text: wanted, new_text: replacement, replace_all });
    }
  }
  const matches = asGiven.length - 1;
  if (matches === 0) {
    throw invalidInput("old_text is not in the file. Nothing was changed: read it and try again.");
  }
  if (matches > 1 && !replace_all) {
    throw invalidInput(
      `old_text occurs ${matches} times. Nothing was changed: give more of its surroundings, or ` +
        "set replace_all.",
    );
  }
  return asGiven.join(new_text);
}
