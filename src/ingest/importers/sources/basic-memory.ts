import { basename, extname } from "node:path";
import { isCairnError } from "../../../shared/errors.ts";
import { listField, splitFrontMatter, textField } from "../formats/front-matter.ts";
import { hashToId } from "../formats/map-fields.ts";
import { parseTime } from "../formats/parse-time.ts";
import { type ImportInput, peekText, readText } from "../import-input.ts";
import type { ImportedLink, ImportedRecord, Importer } from "../imported-record.ts";

/** `- [category] text #tag (context)` */
const OBSERVATION_LINE = /^\s{0,40}[-*]\s+\[([^\][()]{1,200})\]\s+(\S.*)$/;
/** `- relation [[Target]] (context)` */
const RELATION_LINE = /^\s{0,40}[-*]\s+([^[\]]{0,200})\[\[([^\][]{1,500})\]\]/;
/** Check boxes are not observations. */
const CHECKBOX = /^[ xX-]?$/;

const CATEGORY_TYPES: Readonly<Record<string, string>> = {
  decision: "decision",
  preference: "preference",
  question: "question",
  outcome: "outcome",
  result: "outcome",
  fact: "fact",
};

/**
 * Basic Memory notes, with observations and relations as list items. Each note becomes an entity.
 */
export const basicMemory: Importer = {
  name: "basic-memory",
  summary: "Basic Memory: its folder of Markdown notes, or one note",
  async recognizes(input) {
    const files = input.isFolder ? (await input.files([".md"])).slice(0, 20) : [input];
    for (const file of files) {
      const text = await peekText(file);
      if (/^permalink:/m.test(text) && text.startsWith("---")) return true;
    }
    return false;
  },
  async *read(input) {
    const files = input.isFolder ? await input.files([".md"]) : [input];
    const notes = new Map<string, string>();
    const links: ImportedLink[] = [];
    for (const file of files) {
      try {
        yield* readNote(file, await readText(file), { notes, links });
      } catch (error) {
        if (!input.isFolder || !isCairnError(error)) throw error;
        yield { kind: "skipped", where: file.label, reason: error.message };
      }
    }
    for (const link of links) {
      const to = notes.get(link.to.toLowerCase());
      if (to !== undefined && to !== link.from) yield { ...link, to };
    }
  },
};

interface NoteContext {
  readonly notes: Map<string, string>;
  readonly links: ImportedLink[];
}

function* readNote(
  file: ImportInput,
  text: string,
  { notes, links }: NoteContext,
): Generator<ImportedRecord> {
  const { fields, body, problem } = splitFrontMatter(text);
  if (problem !== undefined) yield { kind: "skipped", where: file.label, reason: problem };
  const title = textField(fields, "title") ?? basename(file.name, extname(file.name));
  const permalink = textField(fields, "permalink") ?? file.label;
  const occurredAt = parseTime(fields.created) ?? file.modifiedAt;
  const labels = listField(fields, "tags").map((tag) => ({ key: "tag", value: tag }));
  const from: string[] = [];
  const prose: string[] = [];
  for (const line of body.split(/\r?\n/)) {
    const observation = OBSERVATION_LINE.exec(line);
    const relation = RELATION_LINE.exec(line);
    const category = observation?.[1]?.trim() ?? "";
    const content = observation?.[2]?.trim();
    if (content !== undefined && !CHECKBOX.test(category)) {
      const id = hashToId(permalink, `${category} ${content}`);
      if (from.includes(id)) continue;
      from.push(id);
      yield {
        kind: "episode",
        id,
        content: withoutTags(content),
        type: CATEGORY_TYPES[category.toLowerCase()] ?? "observation",
        labels: [{ key: "category", value: category }, ...labels, ...parseTags(content)],
        entities: [`concept:${title}`],
        sourceRef: permalink,
        ...(occurredAt !== undefined && { occurredAt }),
      };
    } else if (relation?.[2] !== undefined) {
      const type = relation[1]?.trim() || "related_to";
      links.push({ kind: "link", from: permalink, to: relation[2].trim(), type });
    } else if (line.trim() !== "" && !line.startsWith("#")) {
      prose.push(line.trim());
    }
  }
  const summary = prose.join("\n");
  if (from.length === 0 && summary === "") {
    yield { kind: "skipped", where: file.label, reason: "contains no text" };
    return;
  }
  yield {
    kind: "concept",
    id: permalink,
    title,
    summary,
    type: textField(fields, "type") ?? "note",
    labels,
    from,
  };
  for (const name of [title, permalink, basename(file.name, extname(file.name))]) {
    notes.set(name.toLowerCase(), permalink);
  }
}

const TAG_PATTERN = /(?:^|\s)#([\p{L}\p{N}_/-]+)/gu;

function parseTags(text: string) {
  return [...text.matchAll(TAG_PATTERN)].map(([, tag = ""]) => ({ key: "tag", value: tag }));
}

function withoutTags(text: string): string {
  const plain = text.replace(TAG_PATTERN, "").trim();
  return plain === "" ? text : plain;
}
