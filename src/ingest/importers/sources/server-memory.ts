import { z } from "zod";
import { mapEntity } from "../formats/entity-name.ts";
import { idOfText } from "../formats/import-id.ts";
import { readJsonLines } from "../formats/json-lines.ts";
import { peekText } from "../import-input.ts";
import type { ImportedRecord, Importer, ImportOptions } from "../imported.ts";

const entityLine = z.looseObject({
  type: z.literal("entity"),
  name: z.string().min(1),
  entityType: z.string(),
  observations: z.array(z.union([z.string(), z.looseObject({ text: z.string() })])),
});

const relationLine = z.looseObject({
  type: z.literal("relation"),
  from: z.string().min(1),
  to: z.string().min(1),
  relationType: z.string().min(1),
});

type Entity = z.output<typeof entityLine>;

/**
 * The file of the reference memory server of the Model Context Protocol: one entity or relation per
 * line.
 */
export const serverMemory: Importer = {
  name: "server-memory",
  summary: "@modelcontextprotocol/server-memory: its memory.jsonl (or memory.json)",
  async recognizes(input) {
    const [first = ""] = (await peekText(input)).trimStart().split("\n");
    return /^\{\s*"type"\s*:\s*"(entity|relation)"/.test(first);
  },
  async *read(input, options) {
    const types = new Map<string, string>();
    for await (const item of readJsonLines(input)) {
      if (item.kind === "skipped") {
        yield item;
        continue;
      }
      const where = `line ${item.line}`;
      const entity = entityLine.safeParse(item.value).data;
      if (entity !== undefined) {
        types.set(entity.name, entity.entityType);
        yield* episodesOf(entity, options);
        continue;
      }
      const relation = relationLine.safeParse(item.value).data;
      if (relation === undefined) {
        yield { kind: "skipped", where, reason: "is neither an entity nor a relation" };
        continue;
      }
      yield {
        kind: "entity_relation",
        source: entityId(types, relation.from),
        target: entityId(types, relation.to),
        relation: relation.relationType,
      };
    }
  },
};

function* episodesOf(entity: Entity, options: ImportOptions): Generator<ImportedRecord> {
  const mapped = mapEntity(entity.entityType, entity.name);
  const texts = entity.observations.map((item) => (typeof item === "string" ? item : item.text));
  for (const text of texts.length > 0 ? texts : [`${entity.name} (${entity.entityType})`]) {
    yield {
      kind: "episode",
      id: idOfText(entity.name, text),
      content: text,
      type: options.asFacts === true ? "fact" : "observation",
      entities: [mapped.id],
      sourceRef: entity.name,
      ...(mapped.foreignType !== undefined && { metadata: { entity_type: mapped.foreignType } }),
    };
  }
}

/**
 * Relations name entities without types; an entity that the file does not contain has an unknown
 * type.
 */
function entityId(types: ReadonlyMap<string, string>, name: string): string {
  return mapEntity(types.get(name) ?? "", name).id;
}
