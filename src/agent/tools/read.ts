import { z } from "zod";
import { invalidInput } from "../../shared/errors.ts";
import { cutLine } from "../../shared/text.ts";
import { hashline } from "../edits/hash-line.ts";
import { splitLines } from "../edits/split-lines.ts";
import { createPicture, isPictureName } from "../images/picture.ts";
import type { AgentSettings } from "../settings.ts";
import { defineTool, type Tool, type ToolResult } from "./define-tool.ts";
import { findMatches, mergeRanges } from "./line-matches.ts";
import { type ResolvedPath, readBytes, readText } from "./project-paths.ts";
import { showLines } from "./show-lines.ts";

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

const MAX_LINES = 2_000;

export function readTool(editMode: AgentSettings["editMode"]): Tool {
  return defineTool({
    name: "read",
    description:
      `Reads a text file or an image. Text: up to ${MAX_LINES} lines from line \`offset\` (from 1). ` +
      (editMode === "hashline"
        ? "Lines are shown as LINE:HASH|text; LINE:HASH is the anchor for edit."
        : "Lines are shown unchanged."),
    readOnly: true,
    aliases: { file_path: "path" },
    input: z.strictObject({
      path: z.string().min(1).describe("Relative to the project, or absolute."),
      offset: z.number().int().min(1).optional().describe("First line, from 1."),
      limit: z.number().int().min(1).max(MAX_LINES).optional(),
    }),
    uses: ({ path }) => [{ kind: "read", path }],
    async run({ paths }, { path, offset = 1, limit = MAX_LINES }): Promise<ToolResult> {
      const file = await paths.forReading(path);
      if (isPictureName(file.absolute)) return showPicture(file);
      const lines = splitLines(await readText(file));
      const { text, shown } = showLines(lines, { first: offset, count: limit, editMode });
      const range = shown === 0 ? "no lines" : `lines ${offset}–${offset + shown - 1}`;
      return { text, summary: `${file.shown}: ${range} of ${lines.length}` };
    },
  });
}

async function showPicture(file: ResolvedPath): Promise<ToolResult> {
  const bytes = await readBytes(file);
  const picture = createPicture(bytes, file.shown);
  const text = `${file.shown}: ${picture.mediaType}, ${bytes.length} bytes`;
  return { text, pictures: [picture] };
}

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
