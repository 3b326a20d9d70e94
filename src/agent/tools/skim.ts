import { z } from "zod";
import { invalidInput } from "../../shared/errors.ts";
import { splitLines } from "../edits/split-lines.ts";
import type { AgentSettings } from "../settings.ts";
import { defineTool, type Tool } from "./define-tool.ts";
import { readText } from "./project-paths.ts";
import { showLines } from "./show-lines.ts";

export function skimTool(editMode: AgentSettings["editMode"]): Tool {
  return defineTool({
    name: "skim",
    description: "Reads a range of lines of a text file, inclusive, in the format of read.",
    readOnly: true,
    input: z.strictObject({
      path: z.string().min(1),
      start_line: z.number().int().min(1),
      end_line: z.number().int().min(1),
    }),
    uses: ({ path }) => [{ kind: "read", path }],
    async run({ paths }, { path, start_line, end_line }) {
      if (end_line < start_line) throw invalidInput("end_line must not precede start_line.");
      const file = await paths.forReading(path);
      const lines = splitLines(await readText(file));
      const last = Math.min(end_line, lines.length);
      const requested = lines.slice(0, last);
      const count = last - start_line + 1;
      const { text } = showLines(requested, { first: start_line, count, editMode });
      const range = count > 0 ? `lines ${start_line}–${last}` : "no lines";
      return { text, summary: `${file.shown}: ${range} of ${lines.length}` };
    },
  });
}
