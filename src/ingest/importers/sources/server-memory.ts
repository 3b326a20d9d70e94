import { z } from "zod";
import { isPlainObject } from "../../../shared/json.ts";
import { mapEntity } from "../formats/entity-name.ts";
import { type JsonLine, readJsonLines } from "../formats/json-lines.ts";
import { hashToId } from "../formats/map-fields.ts";
import { peekText } from "../import-input.ts";
import type { ImportedRecord, Importer, ImportOptions, SkippedRecord } from "../imported-record.ts";

const observation = z.union([z.string(), z.looseObject({ text: z.string() })]);

const entityLine = z.looseObject({
  type: z.literal("entity").optional(),
  name: z.string().min(1),
  entityType: z.string().default(""),
  observations: z.union([observation.transform((one) => [one]), z.array(observation)]).default([]),
});

const relationLine = z.looseObject({
  type: z.literal("relation").optional(),
  from: z.string().min(1),
  to: z.string().min(1),
  relationType: z.string().min(1),
});

/** Response of the `read_graph` tool. */
const graph = z.looseObject({
  entities: z.array(z.unknown()),
  relations: z.array(z.unknown()).default([]),
});

type Entity = z.output<typeof entityLine>;

/**
 * The MCP reference memory server's file: one entity or relation per line, or the graph as returned
 * by its tools.
 */
export const serverMemory: Importer = {
  name: "server-memory",
  summary: "@modelcontextprotocol/server-memory: its memory.jsonl (or memory.json)",
  async recognizes(input) {
    const begin = (await peekText(input)).trimStart();
    const isRecord = /^\[?\s*\{\s*"type"\s*:\s*"(entity|relation)"/.test(begin);
    return isRecord || (/^\{\s*"entities"\s*:/.test(begin) && /"entityType"\s*:/.test(begin));
  },
  async *read(input, options) {
    const types = new Map<string, string>();
    for await (const item of readJsonLines(input)) {
      if (item.kind === "skipped") yield item;
      else yield* convertLine(item, types, options);
    }
  },
};

function* convertLine(
  { value, where }: Pick<JsonLine, "value" | "where">,
  types: Map<string, string>,
  options: ImportOptions,
): Generator<ImportedRecord | SkippedRecord> {
  const graphValue = graph.safeParse(value).data;
  if (graphValue === undefined) {
    yield* convertRecord({ value, where }, types, options);
    return;
  }
  const lists = [
    ["entities", graphValue.entities],
    ["relations", graphValue.relations],
  ] as const;
  for (const [name, list] of lists) {
    for (const [index, one] of list.entries()) {
      yield* convertRecord({ value: one, where: `${name}[${index}]` }, types, options);
    }
  }
}

function* convertRecord(
  { value, where }: Pick<JsonLine, "value" | "where">,
  types: Map<string, string>,
  options: ImportOptions,
): Generator<ImportedRecord | SkippedRecord> {
  const entity = entityLine.safeParse(value).data;
  if (entity !== undefined) {
    types.set(entity.name, entity.entityType);
    yield* createEpisodes(entity, options);
    return;
  }
  const relation = relationLine.safeParse(value).data;
  if (relation === undefined) {
    yield { kind: "skipped", where, reason: describeMissingFields(value) };
    return;
  }
  yield {
    kind: "entity_relation",
    source: entityId(types, relation.from),
    target: entityId(types, relation.to),
    relation: relation.relationType,
  };
}

/** Returns which fields of its `type` a record lacks. */
function describeMissingFields(value: unknown): string {
  const { type } = isPlainObject(value) ? value : {};
  if (type === "entity") return "entity: needs name (text) and observations (a list of texts)";
  if (type === "relation") return "relation: needs from, to and relationType (texts)";
  return "is neither an entity nor a relation";
}

function* createEpisodes(entity: Entity, options: ImportOptions): Generator<ImportedRecord> {
  const mapped = mapEntity(entity.entityType, entity.name);
  const texts = entity.observations.map((item) => (typeof item === "string" ? item : item.text));
  for (const text of texts.length > 0 ? texts : [formatTitle(entity)]) {
    yield {
      kind: "episode",
      id: hashToId(entity.name, text),
      content: text,
      type: options.asFacts === true ? "fact" : "observation",
      entities: [mapped.id],
      sourceRef: entity.name,
      ...(mapped.foreignType !== undefined && { metadata: { entity_type: mapped.foreignType } }),
    };
  }
}

function formatTitle({ name, entityType }: Entity): string {
  return entityType === "" ? name : `${name} (${entityType})`;
}

/** Relations name entities without types; entities missing from the file get an unknown type. */
function entityId(types: ReadonlyMap<string, string>, name: string): string {
  return mapEntity(types.get(name) ?? "", name).id;
}
