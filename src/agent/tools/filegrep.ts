import { z } from "zod";
import { cutLine } from "../../shared/text.ts";
import { hashline } from "../edits/hash-line.ts";
import { splitLines } from "../edits/split-lines.ts";
import type { AgentSettings } from "../settings.ts";
import { defineTool, type Tool } from "./define-tool.ts";
import { findMatches, mergeRanges } from "./line-matches.ts";
import { readText } from "./project-paths.ts";

const MAX_MATCHES = 200;
const MAX_LINE_LENGTH = 500;

export function filegrepTool(editMode: AgentSettings["editMode"]): Tool {
  return defineTool({
    name: "filegrep",
    description:
      "Searches one file with a regular expression (JavaScript syntax), with `context` lines around " +
      "each match.",
    readOnly: true,
    input: z.strictObject({
      path: z.string().min(1),
      pattern: z.string().min(1).describe("Regular expression."),
      context: z.number().int().min(0).max(50).optional().describe("Default 2."),
    }),
    uses: ({ path }) => [{ kind: "read", path }],
    async run({ paths, signal }, { path, pattern, context = 2 }) {
      const file = await paths.forReading(path);
      const lines = splitLines(await readText(file)).map((line) => line.text);
      const matches = await findMatches({ lines, pattern, limit: MAX_MATCHES, signal });
      if (matches.length === 0) {
        return { text: `No line of ${file.shown} matches.`, summary: `${file.shown}: no match` };
      }
      const blocks = mergeRanges(matches, { context, last: lines.length - 1 }).map(([from, to]) =>
        lines
          .slice(from, to + 1)
          .map((line, offset) => show(line, from + offset + 1))
          .join("\n"),
      );
      const more = matches.length === MAX_MATCHES ? `\n(the first ${MAX_MATCHES} matches)` : "";
      return {
        text: blocks.join("\n--\n") + more,
        summary: `${file.shown}: ${matches.length} ${matches.length === 1 ? "match" : "matches"}`,
      };
    },
  });

  function show(line: string, number: number): string {
    const text = editMode === "hashline" ? hashline(line, number) : `${number}|${line}`;
    return cutLine(text, MAX_LINE_LENGTH);
  }
}
