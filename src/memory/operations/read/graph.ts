import { z } from "zod";
import type { Tx } from "../../../database/index.ts";
import {
  listConceptNumbers,
  loadConcepts,
  loadRelationsFrom,
  loadStrongestConcepts,
  requireConcept,
} from "../../concepts/concept.queries.ts";
import { conceptRecord } from "../../concepts/concept.schema.ts";
import {
  listEntityPositions,
  listEntityRelations,
  loadEntities,
  requireEntity,
} from "../../entities/entity.queries.ts";
import { entityRecord, entityRelationRecord } from "../../entities/entity.schema.ts";
import { requireEpisode } from "../../episodes/episode.queries.ts";
import { requireFact } from "../../facts/fact.queries.ts";
import { endTimeField, idField, nameListField } from "../../input/fields.ts";
import { kindOfId } from "../../input/item-ids.ts";
import { EDGE_KINDS } from "../../listing/graph-edges.ts";
import { loadNeighbourhood } from "../../listing/neighbourhood.ts";
import { getKey, NODE_KINDS, type NodeRef } from "../../listing/node-kinds.ts";
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
  cli: { command: false },
  async run({ tx }) {
    const numbers = await listConceptNumbers(tx, {});
    const nodes = await loadConcepts(tx, numbers);
    const publicIds = new Map(numbers.map((number, index) => [number, nodes[index]?.id ?? ""]));
    const edges = (await loadRelationsFrom(tx, numbers)).map((edge) => ({
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
  cli: { command: false },
  async run({ tx }) {
    return {
      nodes: await loadEntities(tx, await listEntityPositions(tx)),
      edges: await listEntityRelations(tx),
    };
  },
});

const NODES_PER_CENTER = 12;
const MIN_CENTERS = 12;

export const graphNeighbourhood = defineOperation({
  name: "graph_neighbourhood",
  summary: "Show the graph around an item: concepts, episodes, entities and edges",
  description:
    "Default center: the strongest concepts, and the most mentioned entities if there are " +
    "too few concepts for a graph of that size. `folded` is the number of neighbours of a node that " +
    "are not shown.",
  kind: "read",
  input: z.strictObject({
    center: idField.optional().describe("Id of a concept, episode, fact or entity."),
    depth: z.number().int().min(0).max(4).default(1).describe("Maximum distance from the center."),
    limit: z.number().int().min(1).max(5000).default(150).describe("Maximum nodes, nearest first."),
    kinds: nameListField(NODE_KINDS)
      .optional()
      .describe(`${NODE_KINDS.join(", ")}; default all.`),
    valid_at: endTimeField.optional().describe("State at this date or datetime."),
  }),
  output: z.object({
    center: z.string().nullable(),
    nodes: z.array(
      z.object({
        id: z.string(),
        kind: z.enum(NODE_KINDS),
        type: z.string(),
        title: z.string(),
        at: z.string(),
        confidence: z.number().nullable(),
        hops: z.number().int(),
        /** Total number of neighbours, including those not returned. */
        degree: z.number().int(),
        folded: z.number().int(),
      }),
    ),
    edges: z.array(
      z.object({
        source: z.string(),
        target: z.string(),
        kind: z.enum(EDGE_KINDS),
        type: z.string(),
        strength: z.number(),
        valid_from: z.string().nullable(),
        valid_to: z.string().nullable(),
      }),
    ),
  }),
  mcp: { interfaces: false },
  rest: { method: "GET", path: "/graph/neighbourhood" },
  cli: { command: false },
  async run({ tx }, { center, depth, limit, kinds = [], valid_at: validAt }) {
    const centers =
      center === undefined ? await loadStrongest(tx, limit) : [await findNode(tx, center)];
    const { nodes, edges } = await loadNeighbourhood(tx, {
      centers,
      depth,
      limit,
      kinds: kinds.length === 0 ? NODE_KINDS : kinds,
      validAt,
    });
    const ids = new Map(nodes.map(({ key, id }) => [key, id]));
    const [first] = centers;
    return {
      center: center === undefined || first === undefined ? null : (ids.get(getKey(first)) ?? null),
      nodes: nodes.map(({ key: _key, ...node }) => node),
      edges: edges.map(({ a, b, kind, type, strength, validFrom, validTo }) => ({
        source: ids.get(getKey(a)) ?? "",
        target: ids.get(getKey(b)) ?? "",
        kind,
        type,
        strength,
        valid_from: validFrom,
        valid_to: validTo,
      })),
    };
  },
});

async function loadStrongest(tx: Tx, limit: number): Promise<NodeRef[]> {
  const count = Math.max(MIN_CENTERS, Math.floor(limit / NODES_PER_CENTER));
  const nodes: NodeRef[] = [];
  for (const { id } of await loadStrongestConcepts(tx, count)) nodes.push(await findNode(tx, id));
  const isLarge = count > MIN_CENTERS;
  if (nodes.length > 0 && !isLarge) return nodes;
  const left = count - nodes.length;
  const mentioned = await listEntityPositions(tx, undefined, { limit: left, offset: 0 });
  return [...nodes, ...mentioned.map(([, number]) => ({ kind: "entity" as const, number }))];
}

async function findNode(tx: Tx, id: string): Promise<NodeRef> {
  const kind = kindOfId(id);
  if (kind === "episode") {
    return { kind, number: (await requireEpisode(tx, id, "center")).id };
  }
  if (kind === "fact") {
    return { kind: "episode", number: (await requireFact(tx, id, "center")).episodeId };
  }
  if (kind === "entity") return { kind, number: (await requireEntity(tx, id)).id };
  return { kind: "concept", number: (await requireConcept(tx, id, "center")).id };
}
