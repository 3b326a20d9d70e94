import { z } from "zod";
import { invalidInput } from "../../../shared/errors.ts";
import { decodeText } from "../formats/decode-text.ts";
import { parseJsonText, validateRecords } from "../formats/json-records.ts";
import { hashToId } from "../formats/map-fields.ts";
import { parseTime, timeField } from "../formats/parse-time.ts";
import { isZip, readZipEntries } from "../formats/zip-entries.ts";
import { type ImportInput, peekText, readText } from "../import-input.ts";
import type { ImportedRecord, Importer } from "../imported-record.ts";

const FILE_NAMES = ["memory.json", "memories.json", "conversations.json"];

const savedMemory = z.looseObject({
  content: z.string().min(1),
  enabled: z.boolean().nullish(),
  created_at: timeField,
  created: timeField,
});

const conversation = z
  .looseObject({
    id: z.string().nullish(),
    conversation_id: z.string().nullish(),
    uuid: z.string().nullish(),
    title: z.string().nullish(),
    name: z.string().nullish(),
    create_time: timeField,
    created_at: timeField,
  })
  .refine((item) => item.conversation_id ?? item.id ?? item.uuid, "has no id");

/** A line of the saved-memories list, as copied from the settings. */
const PASTED_MEMORY_LINE = /^\s*(?:\d+[.)]|[-*])\s+(?:\[?(\d{4}-\d{2}-\d{2})\]?[.:]?\s+)?(\S.*)$/;

/**
 * ChatGPT's saved memories, from `memory.json` or copied from the settings. Conversations are
 * imported only on request, as one line each with a link. Also reads Claude's nearly identical
 * export.
 */
export const chatgpt: Importer = {
  name: "chatgpt",
  summary: "ChatGPT: the ZIP of its export, memory.json, or the pasted list of memories",
  async recognizes(input) {
    if (await isZip(input))
      return (await readZipEntries(input, FILE_NAMES)).has("conversations.json");
    return input.name === "conversations.json" || /"mapping"\s*:/.test(await peekText(input));
  },
  async *read(input, options) {
    const files = await readFiles(input);
    for (const [name, text] of files) {
      if (!text.trimStart().startsWith("[")) yield* readPasted(text, input.label);
      else {
        const list = requireList(parseJsonText(text, name), name);
        const isTalk = name === "conversations.json" || looksLikeConversations(list);
        if (!isTalk) yield* readMemories(list);
        else if (options.conversations === true) yield* readConversations(list);
        else if (files.size === 1) {
          throw invalidInput(
            `file: ${name} contains conversations, not memories; --conversations imports one line for each`,
          );
        }
      }
    }
  },
};

async function readFiles(input: ImportInput): Promise<Map<string, string>> {
  if (!(await isZip(input))) return new Map([[input.name, await readText(input)]]);
  const entries = await readZipEntries(input, FILE_NAMES);
  if (entries.size === 0) {
    throw invalidInput(`file: ${input.label} contains none of ${FILE_NAMES.join(", ")}`);
  }
  return new Map([...entries].map(([name, bytes]) => [name, decodeText(bytes, name)]));
}

function requireList(document: unknown, name: string): readonly unknown[] {
  if (Array.isArray(document)) return document;
  throw invalidInput(`file: ${name} contains no list`);
}

function looksLikeConversations([first]: readonly unknown[]): boolean {
  const shape = z.union([
    z.looseObject({ mapping: z.unknown() }).refine((item) => "mapping" in item),
    z.looseObject({ chat_messages: z.array(z.unknown()) }),
  ]);
  return shape.safeParse(first).success;
}

function* readMemories(list: readonly unknown[]): Generator<ImportedRecord> {
  const texts = z.union([
    z
      .string()
      .min(1)
      .transform((content) => ({ content })),
    savedMemory,
  ]);
  for (const item of validateRecords(list, "memory", texts)) {
    if (item.kind === "skipped") {
      yield item;
      continue;
    }
    const record = savedMemory.parse(item.value);
    const occurredAt = parseTime(record.created_at) ?? parseTime(record.created);
    yield {
      ...createMemory(record.content, occurredAt),
      deleted: record.enabled === false,
    };
  }
}

function* readPasted(text: string, label: string): Generator<ImportedRecord> {
  let found = 0;
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === "") continue;
    const match = PASTED_MEMORY_LINE.exec(line);
    if (match?.[2] === undefined) {
      yield { kind: "skipped", where: `line ${index + 1}`, reason: "is not a list item" };
      continue;
    }
    found += 1;
    yield createMemory(match[2], parseTime(match[1]));
  }
  if (found === 0) {
    throw invalidInput(
      `file: ${label} is not a list of memories; each line must begin with a number or a dash`,
    );
  }
}

function createMemory(content: string, occurredAt: string | undefined) {
  return {
    kind: "episode",
    id: hashToId("memory", content),
    content,
    type: "preference",
    assertedBy: "user",
    ...(occurredAt !== undefined && { occurredAt }),
  } as const;
}

function* readConversations(list: readonly unknown[]): Generator<ImportedRecord> {
  for (const item of validateRecords(list, "conversations", conversation)) {
    if (item.kind === "skipped") {
      yield item;
      continue;
    }
    const { conversation_id, id, uuid, title, name, create_time, created_at } = item.value;
    const key = conversation_id ?? id ?? uuid ?? "";
    const occurredAt = parseTime(create_time) ?? parseTime(created_at);
    const subject = title ?? name ?? "";
    yield {
      kind: "episode",
      id: `conversation/${key}`,
      content: `A conversation about: ${subject.trim() === "" ? "(untitled)" : subject.trim()}`,
      sourceRef: uuid == null ? `https://chatgpt.com/c/${key}` : `https://claude.ai/chat/${key}`,
      ...(occurredAt !== undefined && { occurredAt }),
    };
  }
}
