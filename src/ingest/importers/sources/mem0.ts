import { z } from "zod";
import { invalidInput } from "../../../shared/errors.ts";
import { isPlainObject, type JsonObject } from "../../../shared/json.ts";
import { readJsonDocument, validateRecords } from "../formats/json-records.ts";
import { parseTime, timeField } from "../formats/parse-time.ts";
import { peekText } from "../import-input.ts";
import type { ImportedRecord, Importer } from "../imported-record.ts";

const memory = z.looseObject({
  id: z.union([z.string(), z.number()]).transform(String),
  memory: z.string().min(1),
  user_id: z.string().nullish(),
  agent_id: z.string().nullish(),
  run_id: z.string().nullish(),
  metadata: z.record(z.string(), z.unknown()).nullish(),
  categories: z.array(z.string()).nullish(),
  created_at: timeField,
  updated_at: timeField,
});

/** mem0's `get_all` response or export: `{ results: [...] }`, `{ memories: [...] }` or a list. */
export const mem0: Importer = {
  name: "mem0",
  summary: "mem0: the JSON of get_all() or of an export job",
  async recognizes(input) {
    const text = await peekText(input);
    return /^\s*[[{]/.test(text) && /"memory"\s*:\s*"/.test(text) && /"id"\s*:/.test(text);
  },
  async *read(input) {
    const document = await readJsonDocument(input);
    const { list, name } = findList(document, input.label);
    for (const item of validateRecords(list, name, memory)) {
      yield item.kind === "skipped" ? item : toEpisode(item.value);
    }
  },
};

function findList(document: unknown, label: string): { list: readonly unknown[]; name: string } {
  if (Array.isArray(document)) return { list: document, name: "" };
  if (isPlainObject(document)) {
    for (const name of ["results", "memories"]) {
      const list = document[name];
      if (Array.isArray(list)) return { list, name };
    }
  }
  throw invalidInput(
    `file: ${label} contains no mem0 memories: expected a list, or an object with "results" or "memories"`,
  );
}

function toEpisode(record: z.output<typeof memory>): ImportedRecord {
  const categories = record.categories ?? [];
  const occurredAt = parseTime(record.created_at);
  return {
    kind: "episode",
    id: record.id,
    content: record.memory,
    type: categories.some((name) => /preference/i.test(name)) ? "preference" : "observation",
    labels: categories.map((value) => ({ key: "category", value })),
    metadata: {
      ...((record.metadata ?? {}) as JsonObject),
      ...(record.updated_at && { updated_at: record.updated_at }),
      ...(record.agent_id && { agent_id: record.agent_id }),
    },
    ...(record.user_id && { assertedBy: record.user_id }),
    ...(record.run_id && { session: record.run_id }),
    ...(occurredAt !== undefined && { occurredAt }),
    sourceRef: `mem0:${record.id}`,
  };
}
