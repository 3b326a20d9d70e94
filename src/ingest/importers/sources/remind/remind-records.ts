import { z } from "zod";
import { isPlainObject } from "../../../../shared/json.ts";

/**
 * remind's tables, with the same fields in SQLite, JSON files and exports. A row's `data` is JSON
 * or a JSON string.
 */
export interface RemindTables {
  readonly concepts: Iterable<unknown>;
  readonly episodes: Iterable<unknown>;
  readonly facts: Iterable<unknown>;
  readonly conflicts: Iterable<unknown>;
  readonly evidence: Iterable<unknown>;
  readonly mentions: Iterable<unknown>;
  readonly entity_relations: Iterable<unknown>;
  readonly labels: Iterable<unknown>;
  readonly topics: Iterable<unknown>;
}

export const REMIND_TABLES = [
  "topics",
  "mentions",
  "labels",
  "episodes",
  "facts",
  "concepts",
  "evidence",
  "conflicts",
  "entity_relations",
] as const satisfies readonly (keyof RemindTables)[];

const optionalText = z.string().nullish();

const packed = z.unknown().transform((value) => {
  if (typeof value !== "string") return value;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    return value;
  }
});

const textList = packed.pipe(z.array(z.string()).catch([]));

/** Labels of a record: `{ area: ["ops"] }`; older versions store them only in a table. */
const ownLabels = z
  .record(z.string(), z.union([z.string(), z.array(z.string())]))
  .catch({})
  .transform((labels) =>
    Object.entries(labels).flatMap(([key, values]) =>
      [values].flat().map((value) => ({ key, value })),
    ),
  )
  .optional();

/** Rows store the record in `data`; exports store the record directly. */
function recordSchema<Shape extends z.ZodType>(shape: Shape) {
  return z.preprocess((row) => {
    if (!isPlainObject(row)) return row;
    const { data, embedding: _embedding, ...columns } = row;
    const record = packed.parse(data);
    return isPlainObject(record) ? { ...columns, ...record } : columns;
  }, shape);
}

export const topic = z.looseObject({
  id: z.string(),
  name: z.string().min(1),
  description: z.string().nullish(),
});

export const mention = z.looseObject({ episode_id: z.string(), entity_id: z.string() });

export const label = z.looseObject({
  subject_type: z.string(),
  subject_id: z.string(),
  key: z.string(),
  value: z.string(),
});

export const episode = recordSchema(
  z.looseObject({
    id: z.string().min(1),
    content: z.string().min(1),
    title: optionalText,
    episode_type: z.string().nullish(),
    entity_ids: textList.optional(),
    labels: ownLabels,
    consolidated: z.union([z.boolean(), z.number()]).nullish(),
    metadata: packed.pipe(z.record(z.string(), z.unknown()).nullish().catch(null)).optional(),
    topic_id: optionalText,
    asserted_by: optionalText,
    source_ref: optionalText,
    source_type: optionalText,
    created_at: optionalText,
    timestamp: optionalText,
    deleted_at: optionalText,
  }),
);

export const fact = z.looseObject({
  id: z.string().min(1),
  statement: z.string().min(1),
  attribute: optionalText,
  entity_ids: textList.optional(),
  valid_from: optionalText,
  valid_to: optionalText,
  superseded_by: optionalText,
  asserted_by: optionalText,
  source_ref: optionalText,
  source_episode_id: optionalText,
});

export const concept = recordSchema(
  z.looseObject({
    id: z.string().min(1),
    title: optionalText,
    summary: z.string().nullish(),
    confidence: z.number().nullish(),
    concept_type: optionalText,
    tags: textList.optional(),
    labels: ownLabels,
    source_episodes: textList.optional(),
    conditions: optionalText,
    exceptions: textList.optional(),
    specifics: z.union([z.string().transform((text) => text.split("\n")), textList]).optional(),
    topic_id: optionalText,
    deleted_at: optionalText,
    relations: packed
      .pipe(z.array(z.looseObject({ type: z.string(), target_id: z.string() })).catch([]))
      .optional(),
  }),
);

export const evidence = z.looseObject({
  episode_id: z.string(),
  concept_id: z.string(),
  link_type: z.string().nullish(),
  strength: z.number().nullish(),
  note: optionalText,
});

export const conflict = z.looseObject({
  id: z.string(),
  kind: z.string().nullish(),
  fact_a_id: optionalText,
  fact_b_id: optionalText,
  description: z.string().nullish(),
  severity: z.string().nullish(),
  status: z.string().nullish(),
  resolution_note: optionalText,
  winning_fact_id: optionalText,
});

export const entityRelation = z.looseObject({
  source_id: z.string().min(1),
  target_id: z.string().min(1),
  relation_type: z.string().min(1),
  strength: z.number().nullish(),
  context: optionalText,
});
