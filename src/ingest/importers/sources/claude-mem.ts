import { z } from "zod";
import { invalidInput } from "../../../shared/errors.ts";
import { readJsonDocument, validateRecords } from "../formats/json-records.ts";
import { parseTime, timeField } from "../formats/parse-time.ts";
import { isSqlite, SqliteFile } from "../formats/sqlite-file.ts";
import { type ImportInput, peekText } from "../import-input.ts";
import type { ImportedLabel, ImportedRecord, Importer } from "../imported-record.ts";

/** A list stored as JSON or comma-separated text. */
const textOrList = z
  .union([z.string(), z.array(z.unknown())])
  .nullish()
  .transform((value) => unpack(value));

const observation = z.looseObject({
  id: z.union([z.number(), z.string()]),
  memory_session_id: z.string().nullish(),
  project: z.string().nullish(),
  text: z.string().nullish(),
  type: z.string().nullish(),
  title: z.string().nullish(),
  subtitle: z.string().nullish(),
  narrative: z.string().nullish(),
  facts: textOrList,
  concepts: textOrList,
  files_read: textOrList,
  files_modified: textOrList,
  created_at: timeField,
  created_at_epoch: timeField,
});

const summary = z.looseObject({
  id: z.union([z.number(), z.string()]),
  memory_session_id: z.string().nullish(),
  project: z.string().nullish(),
  request: z.string().nullish(),
  investigated: z.string().nullish(),
  learned: z.string().nullish(),
  completed: z.string().nullish(),
  next_steps: z.string().nullish(),
  created_at: timeField,
  created_at_epoch: timeField,
});

const exported = z.looseObject({
  observations: z.array(z.unknown()),
  summaries: z.array(z.unknown()).catch([]).default([]),
});

const OBSERVATION_TYPES: Readonly<Record<string, string>> = {
  decision: "decision",
  bugfix: "outcome",
  feature: "outcome",
  change: "outcome",
  refactor: "outcome",
};

/** claude-mem: its database, or an export of search results. */
export const claudeMem: Importer = {
  name: "claude-mem",
  summary: "claude-mem: ~/.claude-mem/claude-mem.db, or the JSON of its export",
  async recognizes(input) {
    if (await isSqlite(input)) {
      if (input.path === undefined) return false;
      using file = new SqliteFile(input);
      return file.has("observations") && file.has("session_summaries");
    }
    const text = await peekText(input);
    return /"exportedAt"\s*:/.test(text) && /"totalObservations"\s*:/.test(text);
  },
  async *read(input) {
    const { observations, summaries, close } = await openDatabase(input);
    try {
      for (const item of validateRecords(observations, "observations", observation)) {
        if (item.kind === "skipped") yield item;
        else yield* readObservation(item.value, item.where);
      }
      for (const item of validateRecords(summaries, "summaries", summary)) {
        if (item.kind === "skipped") yield item;
        else yield readSummary(item.value, item.where);
      }
    } finally {
      close();
    }
  },
};

async function openDatabase(input: ImportInput) {
  if (await isSqlite(input)) {
    const file = new SqliteFile(input);
    if (!file.has("observations")) {
      file[Symbol.dispose]();
      throw invalidInput(`file: ${input.label} is not a claude-mem database: no "observations"`);
    }
    return {
      observations: [...file.rows("observations")],
      summaries: [...file.rows("session_summaries")],
      close: () => file[Symbol.dispose](),
    };
  }
  const { data } = exported.safeParse(await readJsonDocument(input));
  if (data === undefined) {
    throw invalidInput(`file: ${input.label} is not a claude-mem export: no "observations"`);
  }
  return { ...data, close: () => undefined };
}

function* readObservation(
  record: z.output<typeof observation>,
  where: string,
): Generator<ImportedRecord> {
  const id = `observation/${record.id}`;
  const content = [record.title, record.subtitle, record.narrative ?? record.text]
    .filter((part) => part && part.trim() !== "")
    .join("\n\n");
  if (content === "") {
    yield { kind: "skipped", where, reason: "contains no text" };
    return;
  }
  const files = [...new Set([...record.files_read, ...record.files_modified])];
  const shared = {
    entities: [...projectEntity(record.project), ...files.map((path) => `file:${path}`)],
    labels: createLabels(record.concepts),
    ...sessionAndTime(record),
    assertedBy: "claude-mem",
  };
  yield {
    kind: "episode",
    id,
    content,
    type: OBSERVATION_TYPES[record.type ?? ""] ?? "observation",
    ...shared,
    metadata: { ...(record.type && { type: record.type }) },
    sourceRef: `claude-mem:${id}`,
  };
  for (const [index, fact] of record.facts.entries()) {
    yield {
      kind: "episode",
      id: `${id}/fact/${index}`,
      content: fact,
      type: "fact",
      ...shared,
      sourceRef: `claude-mem:${id}`,
    };
  }
}

function readSummary(record: z.output<typeof summary>, where: string): ImportedRecord {
  const parts: readonly (readonly [string, string | null | undefined])[] = [
    ["Asked", record.request],
    ["Investigated", record.investigated],
    ["Learned", record.learned],
    ["Completed", record.completed],
    ["Next", record.next_steps],
  ];
  const content = parts
    .filter(([, text]) => text && text.trim() !== "")
    .map(([name, text]) => `${name}: ${text}`)
    .join("\n");
  if (content === "") return { kind: "skipped", where, reason: "contains no text" };
  return {
    kind: "episode",
    id: `summary/${record.id}`,
    content,
    type: "outcome",
    entities: projectEntity(record.project),
    ...sessionAndTime(record),
    assertedBy: "claude-mem",
    sourceRef: `claude-mem:summary/${record.id}`,
  };
}

interface SessionAndTime {
  readonly memory_session_id?: string | null | undefined;
  readonly created_at?: unknown;
  readonly created_at_epoch?: unknown;
}

function sessionAndTime(record: SessionAndTime) {
  const occurredAt = parseTime(record.created_at) ?? parseTime(record.created_at_epoch);
  return {
    ...(record.memory_session_id && { session: record.memory_session_id }),
    ...(occurredAt !== undefined && { occurredAt }),
  };
}

function projectEntity(project: string | null | undefined): string[] {
  return project ? [`project:${project}`] : [];
}

function createLabels(concepts: readonly string[]): ImportedLabel[] {
  return concepts.map((value) => ({ key: "concept", value }));
}

function unpack(value: string | readonly unknown[] | null | undefined): string[] {
  const list = typeof value === "string" ? unpackText(value) : (value ?? []);
  return list.map((item) => String(item).trim()).filter((item) => item !== "");
}

function unpackText(text: string): readonly unknown[] {
  if (!text.trimStart().startsWith("[")) return text.split(",");
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) ? list : [text];
  } catch {
    return [text];
  }
}
