import type { z } from "zod";
import { BUILT_IN_EPISODE_TYPES } from "../../../memory/episodes/episode-types.ts";
import { isPlainObject, type JsonObject } from "../../../shared/json.ts";
import { mapEntity } from "../formats/entity-name.ts";
import { validateRecords } from "../formats/json-records.ts";
import { parseTime } from "../formats/parse-time.ts";
import { isSqlite, SqliteFile } from "../formats/sqlite-file.ts";
import { type ImportInput, peekText } from "../import-input.ts";
import type { ImportedLabel, ImportedRecord, Importer, SkippedRecord } from "../imported-record.ts";
import { openRemind } from "./remind/open-remind.ts";
import * as shapes from "./remind/remind-records.ts";

const SEVERITIES = ["low", "medium", "high"] as const;
const EPISODE_TYPES: ReadonlySet<string> = new Set(BUILT_IN_EPISODE_TYPES);

export const remind: Importer = {
  name: "remind",
  summary: "remind: .remind/remind.db, its folder .remind/memory, or a `remind export`",
  async recognizes(input) {
    if (input.isFolder) return (await input.has("schema.json")) && (await input.has("episodes"));
    if (await isSqlite(input)) return isRemindDatabase(input);
    const text = await peekText(input);
    return /"version"\s*:\s*[1-4]/.test(text) && /"(entity_relations|records|mentions)"/.test(text);
  },
  async *read(input) {
    using remindFile = await openRemind(input);
    const { tables, skipped } = remindFile;
    yield* skipped;
    const mentions = yield* groupMentions(tables.mentions);
    const labels = yield* groupLabels(tables.labels);
    const context = { mentions, labels };
    for (const item of parseList(tables.topics, "topics", shapes.topic)) {
      if (item.kind === "skipped") yield item;
      else {
        const { id, name, description } = item.value;
        yield { kind: "topic", id, name, description: description ?? "" };
      }
    }
    const facts = splitValid(parseList(tables.facts, "facts", shapes.fact));
    yield* facts.skipped;
    const factOfEpisode = new Map(
      facts.valid.map((fact) => [fact.source_episode_id ?? "", fact] as const),
    );
    for (const item of parseList(tables.episodes, "episodes", shapes.episode)) {
      yield item.kind === "skipped"
        ? item
        : readEpisode(item.value, factOfEpisode.get(item.value.id), context);
    }
    const stored = new Map<string, string>();
    for (const fact of facts.valid) {
      const source = fact.source_episode_id;
      if (source != null && factOfEpisode.get(source) === fact) stored.set(fact.id, source);
      else {
        stored.set(fact.id, `fact/${fact.id}`);
        yield readFact(fact, context);
      }
    }
    yield* readConcepts(tables, context);
    // Conflicts come first, while both facts are active, so that resolving them supersedes the same
    // fact as in remind.
    yield* readConflicts(tables.conflicts, stored);
    for (const fact of facts.valid) {
      if (fact.superseded_by == null) continue;
      yield {
        kind: "supersession",
        old: stored.get(fact.id) ?? fact.id,
        new: stored.get(fact.superseded_by) ?? fact.superseded_by,
      };
    }
    for (const item of parseList(
      tables.entity_relations,
      "entity_relations",
      shapes.entityRelation,
    )) {
      if (item.kind === "skipped") yield item;
      else {
        const { source_id, target_id, relation_type, strength, context: where } = item.value;
        yield {
          kind: "entity_relation",
          source: parseEntityId(source_id).id,
          target: parseEntityId(target_id).id,
          relation: relation_type,
          ...(strength != null && { strength: clampToUnit(strength) }),
          ...(where && { context: where }),
        };
      }
    }
  },
};

interface RemindContext {
  readonly mentions: ReadonlyMap<string, readonly string[]>;
  readonly labels: ReadonlyMap<string, readonly ImportedLabel[]>;
}

async function isRemindDatabase(input: ImportInput): Promise<boolean> {
  if (input.path === undefined) return false;
  using file = new SqliteFile(input);
  return file.has("concepts") && file.has("entity_relations") && file.has("mentions");
}

type Episode = z.output<typeof shapes.episode>;
type Fact = z.output<typeof shapes.fact>;

function readEpisode(
  record: Episode,
  fact: Fact | undefined,
  context: RemindContext,
): ImportedRecord {
  const type = record.episode_type ?? "observation";
  const occurredAt = parseTime(record.created_at) ?? parseTime(record.timestamp);
  const entities = mapEntities([
    ...(record.entity_ids ?? []),
    ...(context.mentions.get(record.id) ?? []),
  ]);
  return {
    kind: "episode",
    id: record.id,
    content: fact?.statement ?? record.content,
    type:
      fact === undefined && type === "fact"
        ? "observation"
        : EPISODE_TYPES.has(type)
          ? type
          : "observation",
    entities: entities.ids,
    labels: mergeLabels(record, context.labels.get(`episode ${record.id}`)),
    metadata: {
      remind_id: record.id,
      ...((record.metadata ?? {}) as JsonObject),
      ...entities.metadata,
      ...(record.title && { title: record.title }),
      ...(!EPISODE_TYPES.has(type) && { episode_type: type }),
      ...(record.source_type && { source_type: record.source_type }),
      ...(fact && factMetadata(fact)),
    },
    ...(record.asserted_by && { assertedBy: record.asserted_by }),
    ...(record.source_ref && { sourceRef: record.source_ref }),
    ...(record.topic_id && { topic: record.topic_id }),
    ...(occurredAt !== undefined && { occurredAt: parseTime(fact?.valid_from) ?? occurredAt }),
    processed: record.consolidated === true || record.consolidated === 1,
    deleted: record.deleted_at != null,
  };
}

/** Skips facts whose episode is missing or belongs to another fact. */
function readFact(fact: Fact, context: RemindContext): ImportedRecord {
  const entities = mapEntities(fact.entity_ids ?? []);
  const occurredAt = parseTime(fact.valid_from);
  return {
    kind: "episode",
    id: `fact/${fact.id}`,
    content: fact.statement,
    type: "fact",
    entities: entities.ids,
    labels: context.labels.get(`fact ${fact.id}`) ?? [],
    metadata: { ...entities.metadata, ...factMetadata(fact) },
    ...(fact.asserted_by && { assertedBy: fact.asserted_by }),
    ...(fact.source_ref && { sourceRef: fact.source_ref }),
    ...(occurredAt !== undefined && { occurredAt }),
    processed: true,
  };
}

function factMetadata(fact: Fact): JsonObject {
  return {
    remind_fact_id: fact.id,
    ...(fact.attribute && { attribute: fact.attribute }),
    ...(fact.valid_to && { valid_to: fact.valid_to }),
  };
}

function* readConcepts(
  tables: { readonly concepts: Iterable<unknown>; readonly evidence: Iterable<unknown> },
  context: RemindContext,
): Generator<ImportedRecord> {
  const concepts = splitValid(parseList(tables.concepts, "concepts", shapes.concept));
  yield* concepts.skipped;
  // Clusters are rebuilt from the facts.
  const imported = concepts.valid.filter(({ concept_type: type }) => type !== "fact_cluster");
  for (const record of imported) {
    const title = record.title ?? record.summary ?? record.id;
    yield {
      kind: "concept",
      id: record.id,
      title,
      summary: createSummary(record),
      ...(record.concept_type && { type: record.concept_type }),
      ...(record.confidence != null && { confidence: clampToUnit(record.confidence) }),
      tags: record.tags ?? [],
      labels: mergeLabels(record, context.labels.get(`concept ${record.id}`)),
      from: record.source_episodes ?? [],
      ...(record.topic_id && { topic: record.topic_id }),
      deleted: record.deleted_at != null,
    };
  }
  const active = new Set(imported.filter((item) => item.deleted_at == null).map(({ id }) => id));
  for (const { id, relations = [] } of imported) {
    for (const { type, target_id: to } of relations) {
      if (active.has(id) && active.has(to) && id !== to) yield { kind: "link", from: id, to, type };
    }
  }
  for (const item of parseList(tables.evidence, "evidence", shapes.evidence)) {
    if (item.kind === "skipped") yield item;
    else if (active.has(item.value.concept_id)) {
      const { concept_id, episode_id, link_type, strength, note } = item.value;
      yield {
        kind: "evidence",
        concept: concept_id,
        episode: episode_id,
        type: link_type ?? "supports",
        ...(strength != null && { strength: clampToUnit(strength) }),
        ...(note && { note }),
      };
    }
  }
}

function createSummary(record: z.output<typeof shapes.concept>): string {
  const lines = [
    record.summary ?? "",
    ...(record.specifics ?? []),
    ...(record.conditions ? [`Applies when: ${record.conditions}`] : []),
    ...(record.exceptions ?? []).map((exception) => `Except: ${exception}`),
  ];
  return lines.filter((line) => line !== "").join("\n");
}

function* readConflicts(
  rows: Iterable<unknown>,
  stored: ReadonlyMap<string, string>,
): Generator<ImportedRecord> {
  for (const item of parseList(rows, "conflicts", shapes.conflict)) {
    if (item.kind === "skipped") {
      yield item;
      continue;
    }
    const { fact_a_id, fact_b_id, winning_fact_id, description, resolution_note, id } = item.value;
    if (fact_a_id == null || fact_b_id == null) {
      const reason = "is a conflict between concepts, which is not supported";
      yield { kind: "skipped", where: `conflict ${id}`, reason };
      continue;
    }
    const winner = winning_fact_id == null ? undefined : stored.get(winning_fact_id);
    const conflict = `conflict/${id}`;
    yield {
      kind: "conflict",
      id: conflict,
      factA: stored.get(fact_a_id) ?? fact_a_id,
      factB: stored.get(fact_b_id) ?? fact_b_id,
      severity: SEVERITIES.find((one) => one === item.value.severity) ?? "medium",
      description: description ?? "",
    };
    const isDecided = item.value.status === "resolved" && winner !== undefined;
    if (!isDecided && item.value.status !== "dismissed") continue;
    yield {
      kind: "settlement",
      conflict,
      ...(isDecided && { winner }),
      ...(resolution_note && { note: resolution_note }),
    };
  }
}

function* groupMentions(rows: Iterable<unknown>): Generator<SkippedRecord, Map<string, string[]>> {
  const groups = new Map<string, string[]>();
  for (const item of parseList(rows, "mentions", shapes.mention)) {
    if (item.kind === "skipped") yield item;
    else pushTo(groups, item.value.episode_id, item.value.entity_id);
  }
  return groups;
}

function* groupLabels(
  rows: Iterable<unknown>,
): Generator<SkippedRecord, Map<string, ImportedLabel[]>> {
  const groups = new Map<string, ImportedLabel[]>();
  for (const item of parseList(rows, "labels", shapes.label)) {
    if (item.kind === "skipped") yield item;
    else {
      const { subject_type, subject_id, key, value } = item.value;
      pushTo(groups, `${subject_type} ${subject_id}`, { key, value });
    }
  }
  return groups;
}

function pushTo<T>(groups: Map<string, T[]>, key: string, item: T): void {
  const group = groups.get(key);
  if (group === undefined) groups.set(key, [item]);
  else group.push(item);
}

function mapEntities(ids: readonly string[]) {
  const mapped = [...new Set(ids)].map(parseEntityId).filter(({ id }) => !id.endsWith(":"));
  const foreign = mapped.filter(({ foreignType }) => foreignType !== undefined);
  return {
    ids: mapped.map(({ id }) => id),
    metadata:
      foreign.length === 0
        ? {}
        : {
            entity_types: Object.fromEntries(
              foreign.map(({ id, foreignType }) => [id, foreignType ?? ""]),
            ),
          },
  };
}

function parseEntityId(id: string) {
  const at = id.indexOf(":");
  return at < 0 ? mapEntity("", id) : mapEntity(id.slice(0, at), id.slice(at + 1));
}

function parseList<Schema extends z.ZodType>(
  rows: Iterable<unknown>,
  name: string,
  schema: Schema,
) {
  return validateRecords([...rows].sort(compareByTime), name, schema);
}

/** File names are random, so sort records by time. */
function compareByTime(a: unknown, b: unknown): number {
  const [first, second] = [findWriteTime(a), findWriteTime(b)];
  return first === second ? 0 : first < second ? -1 : 1;
}

function findWriteTime(row: unknown): string {
  if (!isPlainObject(row)) return "";
  return parseTime(row.created_at) ?? parseTime(row.timestamp) ?? "";
}

function splitValid<T>(items: Iterable<{ kind: "valid"; value: T } | SkippedRecord>) {
  const valid: T[] = [];
  const skipped: SkippedRecord[] = [];
  for (const item of items) {
    if (item.kind === "valid") valid.push(item.value);
    else skipped.push(item);
  }
  return { valid, skipped };
}

function mergeLabels(
  record: { readonly labels?: readonly ImportedLabel[] | undefined },
  listed: readonly ImportedLabel[] = [],
): ImportedLabel[] {
  const all = [...listed, ...(record.labels ?? [])];
  return [...new Map(all.map((label) => [`${label.key}=${label.value}`, label])).values()];
}

function clampToUnit(strength: number): number {
  return Math.min(1, Math.max(0, strength));
}
