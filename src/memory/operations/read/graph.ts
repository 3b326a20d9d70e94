import { z } from "zod";
import { listConceptNumbers, loadConcepts, relationsFrom } from "../../concepts/concept.queries.ts";
import { conceptRecord } from "../../concepts/concept.schema.ts";
import {
  listEntityPlaces,
  listEntityRelations,
  loadEntities,
} from "../../entities/entity.queries.ts";
import { entityRecord, entityRelationRecord } from "../../entities/entity.schema.ts";
import { defineOperation } from "../define-operation.ts";

export const graph = defineOperation({
  name: "graph",
  summary: "The whole concept graph: nodes and typed edges",
  kind: "read",
  input: z.strictObject({}),
  output: z.object({
    nodes: z.array(conceptRecord),
    edges: z.array(
      z.object({
        source: z.string(),
        target: z.string(),
        type: z.string(),
        strength: z.number(),
      }),
    ),
  }),
  mcp: { interfaces: false },
  rest: { method: "GET", path: "/graph" },
  cli: { command: false, example: "cairn graph --json" },
  async run({ tx }) {
    const numbers = await listConceptNumbers(tx, {});
    const nodes = await loadConcepts(tx, numbers);
    const publicIds = new Map(numbers.map((number, index) => [number, nodes[index]?.id ?? ""]));
    const edges = (await relationsFrom(tx, numbers)).map((edge) => ({
      source: publicIds.get(edge.sourceId) ?? "",
      target: edge.targetPublicId,
      type: edge.type,
      strength: edge.strength,
    }));
    return { nodes, edges };
  },
});

export const entityGraph = defineOperation({
  name: "entity_graph",
  summary: "The graph of entities and their typed relations",
  kind: "read",
  input: z.strictObject({}),
  output: z.object({ nodes: z.array(entityRecord), edges: z.array(entityRelationRecord) }),
  mcp: { interfaces: false },
  rest: { method: "GET", path: "/graph/entities" },
  cli: { command: false, example: "cairn graph person:Ada --json" },
  async run({ tx }) {
    return {
      nodes: await loadEntities(tx, await listEntityPlaces(tx)),
      edges: await listEntityRelations(tx),
    };
  },
});
