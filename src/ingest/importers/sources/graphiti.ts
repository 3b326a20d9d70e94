import { z } from "zod";
import { invalidInput } from "../../../shared/errors.ts";
import { isPlainObject, type JsonObject } from "../../../shared/json.ts";
import { mapEntity } from "../formats/entity-name.ts";
import { readJsonDocument, validateRecords } from "../formats/json-records.ts";
import { parseTime, timeField } from "../formats/parse-time.ts";
import { type ImportInput, peekText } from "../import-input.ts";
import type { ImportedRecord, Importer } from "../imported-record.ts";

/** Zep's Python client names the field `uuid_`. */
const identity = { uuid: z.string().optional(), uuid_: z.string().optional() };

const node = z.looseObject({
  ...identity,
  name: z.string().min(1),
  labels: z.array(z.string()).nullish(),
  summary: z.string().nullish(),
  created_at: timeField,
});

const edge = z.looseObject({
  ...identity,
  name: z.string().nullish(),
  fact: z.string().min(1),
  source_node_uuid: z.string().nullish(),
  target_node_uuid: z.string().nullish(),
  source_node_name: z.string().nullish(),
  source_node_labels: z.array(z.string()).nullish(),
  target_node_name: z.string().nullish(),
  target_node_labels: z.array(z.string()).nullish(),
  created_at: timeField,
  valid_at: timeField,
  invalid_at: timeField,
});

const episode = z.looseObject({
  ...identity,
  content: z.string().min(1),
  source_description: z.string().nullish(),
  role_name: z.string().nullish(),
  thread_uuid: z.string().nullish(),
  created_at: timeField,
  valid_at: timeField,
  reference_time: timeField,
});

type Edge = z.output<typeof edge> & { readonly id: string };

/** Graphiti's temporal graph: nodes, edges and episodes as JSON. */
export const graphiti: Importer = graphImporter(
  "graphiti",
  "Graphiti: its nodes, edges and episodes as JSON, { nodes, edges, episodes }",
  /"(?:source_node_uuid|group_id|entity_edges)"\s*:/,
);

/** Zep, which is built on Graphiti: pages or lists as returned by its API. */
export const zep: Importer = graphImporter(
  "zep",
  "Zep: responses of its graph API, { nodes, edges, episodes } or pages of them",
  /"(?:graph_uuid|user_uuid|thread_uuid|source_node_name)"\s*:/,
);

function graphImporter(name: string, summary: string, marker: RegExp): Importer {
  return {
    name,
    summary,
    async recognizes(input) {
      const text = await peekText(input);
      return /^\s*[[{]/.test(text) && /"uuid_?"\s*:/.test(text) && marker.test(text);
    },
    async *read(input) {
      const { nodes, edges, episodes } = await readGraph(input);
      const names = new Map<string, string>();
      for (const item of validateRecords(nodes, "nodes", node)) {
        if (item.kind === "skipped") yield item;
        else yield* readNode(item.value, { source: name, names });
      }
      for (const item of validateRecords(episodes, "episodes", episode)) {
        yield item.kind === "skipped" ? item : readEpisode(item.value, name, item.where);
      }
      const read: Edge[] = [];
      for (const item of validateRecords(edges, "edges", edge)) {
        if (item.kind === "skipped") yield item;
        else read.push({ ...item.value, id: idOf(item.value, item.where) });
      }
      yield* readEdges(read, { source: name, names });
    },
  };
}

interface Graph {
  readonly nodes: readonly unknown[];
  readonly edges: readonly unknown[];
  readonly episodes: readonly unknown[];
}

async function readGraph(input: ImportInput): Promise<Graph> {
  const document = await readJsonDocument(input);
  const empty: Graph = { nodes: [], edges: [], episodes: [] };
  if (isPlainObject(document) && Object.keys(empty).some((part) => part in document)) {
    return {
      nodes: listItems(document.nodes),
      edges: listItems(document.edges),
      episodes: listItems(document.episodes),
    };
  }
  const list = listItems(document);
  const [first] = list;
  if (!isPlainObject(first)) {
    throw invalidInput(`file: ${input.label} contains neither "nodes", "edges" nor "episodes"`);
  }
  const part = "fact" in first ? "edges" : "content" in first ? "episodes" : "nodes";
  return { ...empty, [part]: list };
}

function listItems(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return isPlainObject(value) && Array.isArray(value.items) ? value.items : [];
}

interface GraphContext {
  readonly source: string;
  readonly names: Map<string, string>;
}

function* readNode(
  record: z.output<typeof node>,
  { source, names }: GraphContext,
): Generator<ImportedRecord> {
  const id = idOf(record, record.name);
  const entity = createEntity(record.name, record.labels);
  names.set(id, entity.id);
  if ((record.summary ?? "").trim() === "") return;
  yield {
    kind: "episode",
    id: `node/${id}`,
    content: record.summary ?? "",
    entities: [entity.id],
    metadata: {
      summary_of: record.name,
      ...(entity.foreignType !== undefined && { entity_type: entity.foreignType }),
    },
    sourceRef: `${source}:${id}`,
    ...occurredAt(record.created_at),
  };
}

function readEpisode(
  record: z.output<typeof episode>,
  source: string,
  where: string,
): ImportedRecord {
  const id = idOf(record, where);
  return {
    kind: "episode",
    id: `episode/${id}`,
    content: record.content,
    sourceRef: record.source_description || `${source}:${id}`,
    ...(record.role_name && { assertedBy: record.role_name }),
    ...(record.thread_uuid && { session: record.thread_uuid }),
    ...occurredAt(record.valid_at ?? record.reference_time ?? record.created_at),
  };
}

/**
 * Imports a current edge as a fact. An ended edge becomes a fact if another edge replaced it,
 * otherwise an observation, since facts stay active until superseded.
 */
function* readEdges(edges: readonly Edge[], context: GraphContext): Generator<ImportedRecord> {
  const beginnings = new Map(edges.map((each) => [relationAt(each, each.valid_at), each]));
  beginnings.delete(undefined);
  const successors = new Map<string, Edge>();
  for (const each of edges) {
    const next = beginnings.get(relationAt(each, each.invalid_at));
    if (next !== undefined && next.id !== each.id) successors.set(each.id, next);
  }
  for (const each of edges) {
    const isFact = each.invalid_at == null || successors.has(each.id);
    const ends = resolveEnds(each, context.names);
    yield {
      kind: "episode",
      id: `edge/${each.id}`,
      content: each.fact,
      type: isFact ? "fact" : "observation",
      entities: ends,
      metadata: createMetadata(each),
      sourceRef: `${context.source}:${each.id}`,
      ...occurredAt(each.valid_at ?? each.created_at),
    };
    const [source, target] = ends;
    if (
      each.name &&
      source !== undefined &&
      target !== undefined &&
      isFact &&
      !successors.has(each.id)
    ) {
      yield { kind: "entity_relation", source, target, relation: each.name };
    }
  }
  for (const { id, invalid_at: end } of edges) {
    const next = successors.get(id);
    const until = parseTime(end);
    if (next === undefined || until === undefined) continue;
    yield { kind: "supersession", old: `edge/${id}`, new: `edge/${next.id}`, until };
  }
}

/**
 * Key shared by relations of one kind and node that begin at the same time; undefined without a
 * time.
 */
function relationAt({ name, source_node_uuid: source }: Edge, moment: Edge["valid_at"]) {
  const time = parseTime(moment);
  return time === undefined ? undefined : JSON.stringify([source, name, time]);
}

function resolveEnds(each: Edge, names: ReadonlyMap<string, string>): string[] {
  const ends = [
    names.get(each.source_node_uuid ?? "") ??
      entityNamed(each.source_node_name, each.source_node_labels),
    names.get(each.target_node_uuid ?? "") ??
      entityNamed(each.target_node_name, each.target_node_labels),
  ];
  return [...new Set(ends.filter((end) => end !== undefined))];
}

function entityNamed(name: string | null | undefined, labels: Edge["source_node_labels"]) {
  return name ? createEntity(name, labels).id : undefined;
}

function createEntity(name: string, labels: readonly string[] | null | undefined) {
  return mapEntity((labels ?? []).find((label) => label !== "Entity") ?? "", name);
}

function createMetadata(each: Edge): JsonObject {
  return {
    ...(each.name && { relation: each.name }),
    ...(each.valid_at && { valid_at: each.valid_at }),
    ...(each.invalid_at && { invalid_at: each.invalid_at }),
  };
}

function idOf(record: { uuid?: string | undefined; uuid_?: string | undefined }, where: string) {
  return record.uuid ?? record.uuid_ ?? where;
}

function occurredAt(value: Edge["valid_at"]): { occurredAt?: string } {
  const time = parseTime(value);
  return time === undefined ? {} : { occurredAt: time };
}
