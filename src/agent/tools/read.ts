import { z } from "zod";
import { splitLines } from "../edits/split-lines.ts";
import { createPicture, isPictureName } from "../images/picture.ts";
import type { AgentSettings } from "../settings.ts";
import { defineTool, type Tool, type ToolResult } from "./define-tool.ts";
import type { ResolvedPath } from "./project-paths.ts";
import { readBytes, readText } from "./project-paths.ts";
import { showLines } from "./show-lines.ts";

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
