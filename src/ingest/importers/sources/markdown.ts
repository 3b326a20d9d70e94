import { basename, extname } from "node:path";
import { isCairnError } from "../../../shared/errors.ts";
import { removeSection } from "../../../shared/text.ts";
import { listField, splitFrontMatter, textField } from "../formats/front-matter.ts";
import { hashToId } from "../formats/map-fields.ts";
import {
  findLinkedNames,
  type MarkdownBlock,
  parseMarkdownBlocks,
} from "../formats/markdown-blocks.ts";
import { parseTime } from "../formats/parse-time.ts";
import { type ImportInput, readText } from "../import-input.ts";
import type {
  ImportedLabel,
  ImportedLink,
  ImportedRecord,
  Importer,
  SkippedRecord,
} from "../imported-record.ts";

const EXTENSIONS = [".md", ".mdc", ".markdown"];
/** Agent instruction files; each bullet becomes a preference. */
const INSTRUCTION_FILE =
  /^(CLAUDE(\.local)?|AGENTS|GEMINI|QWEN|CRUSH|copilot-instructions)\.md$|^\.(cursor|windsurf|cline)rules$|\.mdc$/i;
/** Shorter bullets and paragraphs carry no information. */
const MIN_CHARS = 3;

/**
 * Markdown. In agent instruction files each bullet and paragraph becomes a preference. In notes
 * (Obsidian, Logseq, any folder) each section becomes an observation and each note a concept linked
 * to the notes it mentions.
 */
export const markdown: Importer = {
  name: "markdown",
  summary: "CLAUDE.md, AGENTS.md, .cursorrules, or notes of Obsidian and Logseq",
  async recognizes(input) {
    if (!input.isFolder)
      return INSTRUCTION_FILE.test(input.name) || EXTENSIONS.includes(fileExtension(input));
    return (await input.files(EXTENSIONS)).length > 0;
  },
  async *read(input) {
    const files = input.isFolder ? await input.files(EXTENSIONS) : [input];
    const links: ImportedLink[] = [];
    const notes = new Map<string, string>();
    for (const file of files) {
      const text = await readOrSkip(file, input);
      if (typeof text !== "string") yield text;
      else if (INSTRUCTION_FILE.test(file.name)) yield* readInstructions(file, text);
      else yield* readNote(file, text, { links, notes });
    }
    for (const link of links) {
      const to = notes.get(link.to.toLowerCase());
      if (to !== undefined && to !== link.from) yield { ...link, to };
    }
  },
};

/** Skips an unreadable file so that the rest of the folder is imported. */
async function readOrSkip(file: ImportInput, root: ImportInput): Promise<string | SkippedRecord> {
  try {
    return await readText(file);
  } catch (error) {
    if (!root.isFolder || !isCairnError(error)) throw error;
    return { kind: "skipped", where: file.label, reason: error.message };
  }
}

function* readInstructions(file: ImportInput, text: string): Generator<ImportedRecord> {
  // Excludes the section that cairn exported from memory.
  const { body } = splitFrontMatter(removeSection(text));
  for (const block of parseMarkdownBlocks(body)) {
    if (block.text.length < MIN_CHARS) continue;
    yield {
      kind: "episode",
      id: hashToId(file.label, block.text),
      content: block.text,
      type: "preference",
      labels: createSectionLabel(block),
      sourceRef: [file.label, ...block.headings.slice(-1)].join("#"),
      ...(file.modifiedAt !== undefined && { occurredAt: file.modifiedAt }),
    };
  }
}

interface NoteContext {
  readonly links: ImportedLink[];
  readonly notes: Map<string, string>;
}

function* readNote(
  file: ImportInput,
  text: string,
  { links, notes }: NoteContext,
): Generator<ImportedRecord> {
  const { fields, body, problem } = splitFrontMatter(text);
  if (problem !== undefined) yield { kind: "skipped", where: file.label, reason: problem };
  const sections = groupSections(parseMarkdownBlocks(body));
  const title = textField(fields, "title") ?? basename(file.name, extname(file.name));
  if (sections.length === 0) {
    yield { kind: "skipped", where: file.label, reason: "contains no text" };
    return;
  }
  const occurredAt =
    parseDay(title) ?? parseTime(fields.created) ?? parseTime(fields.date) ?? file.modifiedAt;
  const tags = [...listField(fields, "tags"), ...findInlineTags(body)];
  const labels = [...new Set(tags)].map((tag) => ({ key: "tag", value: tag.replace(/^#/, "") }));
  const from: string[] = [];
  for (const section of sections) {
    const id = hashToId(file.label, section.text);
    if (from.includes(id)) continue;
    from.push(id);
    yield {
      kind: "episode",
      id,
      content: section.text,
      labels: [...createSectionLabel(section), ...labels],
      sourceRef: [file.label, ...section.headings.slice(-1)].join("#"),
      session: file.label,
      ...(occurredAt !== undefined && { occurredAt }),
    };
  }
  yield {
    kind: "concept",
    id: file.label,
    title,
    summary: sections[0]?.text ?? title,
    type: "note",
    labels,
    from,
  };
  for (const name of [
    title,
    basename(file.name, extname(file.name)),
    ...listField(fields, "aliases"),
  ]) {
    notes.set(name.toLowerCase(), file.label);
  }
  for (const name of findLinkedNames(body)) {
    links.push({ kind: "link", from: file.label, to: name, type: "related_to" });
  }
}

/** Merges blocks under the same heading. */
function groupSections(blocks: readonly MarkdownBlock[]): MarkdownBlock[] {
  const sections: { kind: "other"; text: string; headings: readonly string[] }[] = [];
  for (const { text, headings, kind } of blocks) {
    const last = sections.at(-1);
    const line = kind === "bullet" ? `- ${text}` : text;
    if (last !== undefined && last.headings.join("\n") === headings.join("\n")) {
      last.text += kind === "bullet" ? `\n${line}` : `\n\n${line}`;
    } else {
      sections.push({ kind: "other", text: line, headings });
    }
  }
  return sections;
}

function createSectionLabel({ headings }: MarkdownBlock): ImportedLabel[] {
  return headings.length === 0 ? [] : [{ key: "section", value: headings.join(" > ") }];
}

function findInlineTags(body: string): string[] {
  return [...body.matchAll(/(?:^|\s)#([\p{L}_][\p{L}\p{N}_/-]*)/gu)].map(([, tag = ""]) => tag);
}

/** Date of a daily note: `2026-03-31`, `2026_03_31`. */
function parseDay(title: string): string | undefined {
  const day = /^(\d{4})[-_](\d{2})[-_](\d{2})$/.exec(title);
  return day === null ? undefined : parseTime(`${day[1]}-${day[2]}-${day[3]}`);
}

function fileExtension(input: ImportInput): string {
  return extname(input.name).toLowerCase();
}
