import type { ConceptRecord } from "../concepts/concept.schema.ts";
import type { EpisodeRecord } from "../episodes/episode.schema.ts";
import type { FactRecord } from "../facts/fact.schema.ts";

export type PropertyKind =
  | "episode"
  | "fact"
  | "concept"
  | "entity"
  | "label"
  | "topic"
  | "session"
  | "source"
  | "author"
  | "time"
  | "text"
  | "data";

export interface DescribedField {
  readonly name: string;
  readonly kind: PropertyKind;
  /**
   * `detail`: a name and value below the record; `head`: in its first line or text, formatted by
   * each surface; `hidden`: for programs only.
   */
  readonly placement: "detail" | "head" | "hidden";
  /** Position in a one-line summary; undefined: excluded. */
  readonly line?: number;
  /** Prefix in a one-line summary; default: the name and `=`. */
  readonly prefix?: string;
}

export type RecordField = keyof EpisodeRecord | keyof ConceptRecord | keyof FactRecord;

const HEAD_FIELD = { kind: "text", placement: "head" } as const;
const HIDDEN_FIELD = { kind: "text", placement: "hidden" } as const;

export const FIELD_DESCRIPTIONS: Readonly<Record<RecordField, DescribedField>> = {
  id: { name: "id", ...HEAD_FIELD, prefix: "" },
  content: { name: "content", ...HEAD_FIELD },
  statement: { name: "statement", ...HEAD_FIELD },
  title: { name: "title", ...HEAD_FIELD },
  summary: { name: "summary", ...HEAD_FIELD },
  episode_type: { name: "type", ...HEAD_FIELD, prefix: "" },
  type: { name: "type", ...HEAD_FIELD, prefix: "" },
  status: { name: "status", ...HEAD_FIELD, prefix: "" },
  asserted_by: { name: "by", kind: "author", placement: "head", line: 1, prefix: "by " },
  occurred_at: { name: "happened", kind: "time", placement: "head", prefix: "happened " },
  created_at: { name: "written", kind: "time", placement: "head", prefix: "" },
  updated_at: { name: "changed", kind: "time", placement: "hidden" },
  deleted_at: { name: "deleted", kind: "time", placement: "head" },
  processed: { name: "processed", ...HEAD_FIELD },
  confidence: { name: "confidence", ...HEAD_FIELD },
  instance_count: { name: "episodes", ...HEAD_FIELD },
  actionable: { name: "actionable", ...HEAD_FIELD },
  relations: { name: "relations", kind: "data", placement: "head" },
  source_type: { name: "source type", ...HIDDEN_FIELD },
  cluster_id: { name: "cluster", kind: "concept", placement: "hidden" },
  valid_from: { name: "since", kind: "time", placement: "head", prefix: "since " },
  valid_to: { name: "until", kind: "time", placement: "detail", prefix: "until " },
  replaced_by: { name: "replaced by", kind: "episode", placement: "detail" },
  superseded_by: { name: "superseded by", kind: "fact", placement: "detail" },
  superseded_at: { name: "superseded on", kind: "time", placement: "detail" },
  fact_id: { name: "fact", kind: "fact", placement: "detail", line: 3, prefix: "" },
  tags: { name: "tags", kind: "text", placement: "detail", prefix: "" },
  entities: { name: "entities", kind: "entity", placement: "detail", line: 4, prefix: "" },
  labels: { name: "labels", kind: "label", placement: "detail", line: 5, prefix: "" },
  source_ref: { name: "source", kind: "source", placement: "detail", line: 2, prefix: "" },
  session: { name: "session", kind: "session", placement: "detail" },
  topic_id: { name: "topic", kind: "topic", placement: "detail" },
  plan_id: { name: "plan", kind: "episode", placement: "detail" },
  spec_ids: { name: "specs", kind: "episode", placement: "detail" },
  depends_on: { name: "depends on", kind: "episode", placement: "detail" },
  priority: { name: "priority", kind: "text", placement: "detail" },
  metadata: { name: "metadata", kind: "data", placement: "detail" },
  episode_id: { name: "episode", kind: "episode", placement: "detail" },
};

export interface Property extends DescribedField {
  readonly field: RecordField;
  readonly values: readonly string[];
}

export type Presentable = { readonly [Field in RecordField]?: unknown };

const FIELD_ENTRIES = Object.entries(FIELD_DESCRIPTIONS) as [RecordField, DescribedField][];
const DETAIL_FIELDS = FIELD_ENTRIES.filter(([, { placement }]) => placement === "detail");
const LINE_FIELDS = FIELD_ENTRIES.filter(([, { line }]) => line !== undefined).sort(
  ([, a], [, b]) => (a.line ?? 0) - (b.line ?? 0),
);

export function listProperties(record: Presentable): Property[] {
  return listFilled(record, DETAIL_FIELDS);
}

export function listLineProperties(record: Presentable): Property[] {
  return listFilled(record, LINE_FIELDS);
}

/** Formats a property for a one-line summary, one entry per value: `by Ada`, `area=build`. */
export function formatProperty({ values, name, prefix }: Property): string[] {
  return values.map((value) => `${prefix ?? `${name}=`}${value}`);
}

function listFilled(record: Presentable, fields: typeof FIELD_ENTRIES): Property[] {
  const properties: Property[] = [];
  for (const [field, described] of fields) {
    const values = formatTexts(record[field]);
    if (values.length > 0) properties.push({ field, values, ...described });
  }
  return properties;
}

function formatTexts(value: unknown): string[] {
  if (value === null || value === undefined || value === "") return [];
  if (Array.isArray(value)) return value.flatMap(formatTexts);
  if (typeof value !== "object") return [String(value)];
  return [isLabel(value) ? `${value.key}=${value.value}` : JSON.stringify(value)];
}

function isLabel(value: object): value is { readonly key: string; readonly value: string } {
  return Object.keys(value).sort().join() === "key,value";
}
