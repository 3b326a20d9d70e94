import { z } from "zod";
import { invalidInput } from "../../../shared/errors.ts";
import type { JsonObject } from "../../../shared/json.ts";
import { decodeText } from "../formats/decode-text.ts";
import { parseJsonText, readJsonDocument, validateRecords } from "../formats/json-records.ts";
import { parseTime, timeField } from "../formats/parse-time.ts";
import { isZip, readZipEntries } from "../formats/zip-entries.ts";
import { type ImportInput, peekText } from "../import-input.ts";
import type { ImportedRecord, Importer } from "../imported-record.ts";

const named = z.looseObject({ id: z.string(), name: z.string() });

const memory = z.looseObject({
  id: z.string().min(1),
  content: z.string().min(1),
  metadata: z.record(z.string(), z.unknown()).nullish(),
  state: z.string().nullish(),
  created_at: timeField,
  app_id: z.string().nullish(),
  category_ids: z.array(z.string()).nullish(),
});

const backup = z.looseObject({
  user: z.looseObject({ user_id: z.string().nullish(), name: z.string().nullish() }).nullish(),
  apps: z.array(named).catch([]).default([]),
  categories: z.array(named).catch([]).default([]),
  memories: z.array(z.unknown()),
});

/** States of removed memories. */
const REMOVED_STATES = new Set(["deleted", "archived"]);

/** An OpenMemory backup: a ZIP with `memories.json`, or that file. */
export const openmemory: Importer = {
  name: "openmemory",
  summary: "OpenMemory: the ZIP of its backup, or the memories.json in it",
  async recognizes(input) {
    if (await isZip(input)) return (await readZipEntries(input, ["memories.json"])).size > 0;
    const text = await peekText(input);
    return /^\s*\{/.test(text) && /"memories"\s*:/.test(text) && /"content"\s*:/.test(text);
  },
  async *read(input) {
    const { data } = backup.safeParse(await readDocument(input));
    if (data === undefined) {
      throw invalidInput(`file: ${input.label} is not an OpenMemory backup: no "memories"`);
    }
    const apps = new Map(data.apps.map(({ id, name }) => [id, name]));
    const categories = new Map(data.categories.map(({ id, name }) => [id, name]));
    const user = data.user?.user_id ?? data.user?.name;
    for (const item of validateRecords(data.memories, "memories", memory)) {
      if (item.kind === "skipped") yield item;
      else yield toEpisode(item.value, { apps, categories, user });
    }
  },
};

async function readDocument(input: ImportInput): Promise<unknown> {
  if (!(await isZip(input))) return readJsonDocument(input);
  const bytes = (await readZipEntries(input, ["memories.json"])).get("memories.json");
  if (bytes === undefined) {
    throw invalidInput(`file: ${input.label} is not an OpenMemory backup: no memories.json`);
  }
  return parseJsonText(decodeText(bytes, "memories.json"), "memories.json");
}

interface Names {
  readonly apps: ReadonlyMap<string, string>;
  readonly categories: ReadonlyMap<string, string>;
  readonly user: string | null | undefined;
}

function toEpisode(record: z.output<typeof memory>, names: Names): ImportedRecord {
  const app = names.apps.get(record.app_id ?? "");
  const occurredAt = parseTime(record.created_at);
  const categories = (record.category_ids ?? []).map((id) => names.categories.get(id) ?? id);
  return {
    kind: "episode",
    id: record.id,
    content: record.content,
    type: categories.some((name) => /preference/i.test(name)) ? "preference" : "observation",
    labels: [
      ...categories.map((value) => ({ key: "category", value })),
      ...(app === undefined ? [] : [{ key: "app", value: app }]),
    ],
    metadata: {
      ...((record.metadata ?? {}) as JsonObject),
      ...(record.state && record.state !== "active" && { state: record.state }),
    },
    ...(names.user && { assertedBy: names.user }),
    ...(occurredAt !== undefined && { occurredAt }),
    sourceRef: `openmemory:${record.id}`,
    deleted: REMOVED_STATES.has(record.state ?? ""),
  };
}
