import { basename, dirname } from "node:path";
import { isPlainObject } from "../../../shared/json.ts";
import { splitFrontMatter, textField } from "../formats/front-matter.ts";
import { findLinkedNames } from "../formats/markdown-blocks.ts";
import { type ImportInput, readText } from "../import-input.ts";
import type { ImportedRecord, Importer } from "../imported-record.ts";

const MEMORY_TYPES: Readonly<Record<string, string>> = {
  user: "preference",
  feedback: "preference",
  project: "decision",
  reference: "observation",
};

/** An index that only repeats the notes. */
const INDEX_FILE = "MEMORY.md";

/**
 * Claude Code's memory folder: Markdown notes with `name`, `description` and a type in the front
 * matter, and an index. The format is undocumented; anything unrecognized is imported as text.
 */
export const claudeCode: Importer = {
  name: "claude-code",
  summary: "Claude Code's own memory: the folder ~/.claude/projects/<project>/memory",
  recognizes: (input) => input.has(INDEX_FILE),
  async *read(input) {
    const files = input.isFolder ? await input.files([".md"]) : [input];
    const project = projectName(input);
    for (const file of files) {
      if (file.name === INDEX_FILE && files.length > 1) continue;
      yield await readNote(file, project);
    }
  },
};

async function readNote(file: ImportInput, project: string | undefined): Promise<ImportedRecord> {
  const { fields, body, problem } = splitFrontMatter(await readText(file));
  const type = mapType(fields) ?? "";
  const description = textField(fields, "description");
  const content = [description, body.trim()].filter((part) => part && part !== "").join("\n\n");
  if (content === "") return { kind: "skipped", where: file.label, reason: "contains no text" };
  const title = textField(fields, "name");
  return {
    kind: "episode",
    id: file.label,
    content,
    type: MEMORY_TYPES[type] ?? "observation",
    ...(project !== undefined && { entities: [`project:${project}`] }),
    labels: findLinkedNames(body).map((link) => ({ key: "see", value: link })),
    metadata: {
      ...(title !== undefined && { name: title }),
      ...(type !== "" && { memory_type: type }),
      ...(problem !== undefined && { front_matter: problem }),
    },
    assertedBy: type === "user" || type === "feedback" ? "user" : "claude-code",
    sourceRef: file.path ?? file.label,
    ...(file.modifiedAt !== undefined && { occurredAt: file.modifiedAt }),
  };
}

/** Top level in older notes, `metadata` in newer ones. */
function mapType(fields: Readonly<Record<string, unknown>>): string | undefined {
  const nested = isPlainObject(fields.metadata) ? textField(fields.metadata, "type") : undefined;
  return nested ?? textField(fields, "type");
}

/** The parent folder is the project path with slashes replaced by dashes. */
function projectName(input: ImportInput): string | undefined {
  if (input.path === undefined) return undefined;
  const folder = input.isFolder ? input.path : dirname(input.path);
  if (basename(folder) !== "memory") return undefined;
  const slug = basename(dirname(folder));
  return slug
    .split("-")
    .filter((part) => part !== "")
    .at(-1);
}
