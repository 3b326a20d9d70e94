import { z } from "zod";
import { invalidInput } from "../../../shared/errors.ts";
import { isPlainObject } from "../../../shared/json.ts";
import { readJsonDocument, validateRecords } from "../formats/json-records.ts";
import { parseTime, timeField } from "../formats/parse-time.ts";
import { peekText } from "../import-input.ts";
import type { ImportedRecord, Importer } from "../imported-record.ts";

const block = z.looseObject({
  id: z.string().optional(),
  label: z.string().nullish(),
  value: z.string(),
  description: z.string().nullish(),
});

const passage = z.looseObject({
  id: z.string().optional(),
  text: z.string().min(1),
  tags: z.array(z.string()).nullish(),
  file_name: z.string().nullish(),
  is_deleted: z.boolean().nullish(),
  created_at: timeField,
});

const message = z.looseObject({
  id: z.string().optional(),
  role: z.string(),
  content: z.unknown(),
  text: z.string().nullish(),
  created_at: timeField,
});

const agent = z.looseObject({
  id: z.string().optional(),
  name: z.string().nullish(),
  messages: z.array(z.unknown()).nullish(),
});

/** Letta: an agent file with memory blocks, or a list of archival memory. */
export const letta: Importer = {
  name: "letta",
  summary: "Letta: an agent file (.af), or the list of its archival passages",
  async recognizes(input) {
    const text = await peekText(input);
    if (!/^\s*[[{]/.test(text)) return false;
    if (/"id"\s*:\s*"passage-/.test(text) || /"archive_id"\s*:/.test(text)) return true;
    return /"(?:in_context_message_ids|core_memory|block_ids|memory_blocks)"\s*:/.test(text);
  },
  async *read(input, { conversations = false }) {
    const document = await readJsonDocument(input);
    const { blocks, passages, agents } = splitParts(document, input.label);
    for (const item of validateRecords(blocks, "blocks", block)) {
      if (item.kind === "skipped") yield item;
      else yield readBlock(item.value, item.where);
    }
    for (const item of validateRecords(passages, "passages", passage)) {
      yield item.kind === "skipped" ? item : readPassage(item.value, item.where);
    }
    if (!conversations) return;
    for (const item of validateRecords(agents, "agents", agent)) {
      if (item.kind === "skipped") yield item;
      else yield* readMessages(item.value, item.where);
    }
  },
};

/** The current format lists several agents; the first version is a single agent. */
function splitParts(document: unknown, label: string) {
  if (Array.isArray(document)) return { blocks: [], passages: document, agents: [] };
  if (isPlainObject(document)) {
    const { agents, blocks, core_memory: core, passages, archival_passages: archival } = document;
    const parts = {
      blocks: listOrEmpty(blocks ?? core),
      passages: listOrEmpty(passages ?? archival),
      agents: Array.isArray(agents) ? agents : [document],
    };
    if (parts.blocks.length + parts.passages.length > 0 || Array.isArray(agents)) return parts;
  }
  throw invalidInput(
    `file: ${label} is neither a Letta agent file ("agents" and "blocks", or "core_memory") nor a list of passages`,
  );
}

function listOrEmpty(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function readBlock(record: z.output<typeof block>, where: string): ImportedRecord {
  const label = record.label ?? "";
  if (record.value.trim() === "") {
    return { kind: "skipped", where, reason: `the block "${label}" is empty` };
  }
  return {
    kind: "episode",
    id: record.id ?? `block/${label === "" ? where : label}`,
    content: record.value,
    labels: label === "" ? [] : [{ key: "block", value: label }],
    metadata: { ...(record.description && { description: record.description }) },
  };
}

function readPassage(record: z.output<typeof passage>, where: string): ImportedRecord {
  const occurredAt = parseTime(record.created_at);
  return {
    kind: "episode",
    id: record.id ?? where,
    content: record.text,
    labels: (record.tags ?? []).map((value) => ({ key: "tag", value })),
    ...(record.file_name && { sourceRef: record.file_name }),
    ...(record.is_deleted === true && { deleted: true }),
    ...(occurredAt !== undefined && { occurredAt }),
  };
}

function* readMessages(record: z.output<typeof agent>, where: string): Generator<ImportedRecord> {
  const session = record.id ?? where;
  for (const item of validateRecords(record.messages ?? [], `${where}.messages`, message)) {
    if (item.kind === "skipped") {
      yield item;
      continue;
    }
    const { role, content, text, created_at: createdAt, id } = item.value;
    const contentText = text ?? textIn(content);
    if ((role !== "user" && role !== "assistant") || contentText.trim() === "") continue;
    const occurredAt = parseTime(createdAt);
    yield {
      kind: "episode",
      id: `message/${id ?? item.where}`,
      content: contentText,
      assertedBy: role === "user" ? "user" : (record.name ?? role),
      session,
      ...(occurredAt !== undefined && { occurredAt }),
    };
  }
}

function textIn(content: unknown): string {
  if (typeof content === "string") return content;
  const parts = listOrEmpty(content).map((part) => (isPlainObject(part) ? part.text : undefined));
  return parts.filter((part) => typeof part === "string").join("\n");
}
