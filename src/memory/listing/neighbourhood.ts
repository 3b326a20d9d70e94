import { sql } from "drizzle-orm";
import type { Tx } from "../../database/index.ts";
import { numberSet, selectRows } from "../../database/index.ts";
import { shortenLine } from "../../shared/text.ts";
import { FACT_CLUSTER } from "../concepts/concept.schema.ts";
import { entityId } from "../entities/entity.queries.ts";
import { presentStatements } from "../facts/present-statements.ts";
import { episodeId } from "../input/item-ids.ts";
import { countNeighbours, type GraphEdge, loadEdges } from "./graph-edges.ts";
import { compareKinds, getKey, NODE_KINDS, type NodeKind, type NodeRef } from "./node-kinds.ts";

interface GraphNode {
  readonly key: string;
  readonly id: string;
  readonly kind: NodeKind;
  readonly type: string;
  readonly title: string;
  readonly at: string;
  readonly confidence: number | null;
}

const MAX_TITLE_CHARACTERS = 80;

type NodeRow = [
  number: number,
  id: string,
  type: string,
  title: string,
  at: string,
  confidence: number | null,
];

async function loadNodes(
  tx: Tx,
  nodes: readonly NodeRef[],
  validAt?: string,
): Promise<Map<string, GraphNode>> {
  const found = new Map<string, GraphNode>();
  for (const kind of NODE_KINDS) {
    const numbers = nodes.filter((node) => node.kind === kind).map(({ number }) => number);
    if (numbers.length === 0) continue;
    const rows = await loadRowsOfKind(tx, kind, numbers);
    const clusters = rows.flatMap(([number, , type]) => (type === FACT_CLUSTER ? [number] : []));
    const stated =
      kind === "concept"
        ? await presentStatements(tx, clusters, validAt)
        : new Map<number, never>();
    for (const [number, id, type, title, at, confidence] of rows) {
      const key = getKey({ kind, number });
      found.set(key, {
        key,
        id:
          kind === "episode"
            ? episodeId(number)
            : kind === "entity"
              ? entityId({ type, name: title })
              : id,
        kind,
        type,
        title: shortenLine(stated.get(number)?.statement ?? title, MAX_TITLE_CHARACTERS),
        at,
        confidence,
      });
    }
  }
  return found;
}

function loadRowsOfKind(tx: Tx, kind: NodeKind, numbers: readonly number[]): Promise<NodeRow[]> {
  const among = numberSet(numbers);
  const queries = {
    concept: sql`select id, public_id, type, title, created_at, confidence from concepts
      where id in (${among}) and deleted_at is null`,
    episode: sql`select id, '', episode_type, substr(content, 1, 400), coalesce(occurred_at, created_at), null
      from episodes where id in (${among}) and deleted_at is null`,
    entity: sql`select id, '', type, name, created_at, null from entities where id in (${among})`,
  };
  return selectRows(tx, queries[kind]);
}

export interface NeighbourhoodQuery {
  readonly centers: readonly NodeRef[];
  readonly depth: number;
  readonly limit: number;
  readonly kinds: readonly NodeKind[];
  readonly validAt: string | undefined;
}

export interface Neighbourhood {
  readonly nodes: readonly (GraphNode & { hops: number; degree: number; folded: number })[];
  readonly edges: readonly GraphEdge[];
}

const MAX_NEIGHBOURS = 24;

/** Returns nodes around the centers, nearest first, and all edges between them. */
export async function loadNeighbourhood(tx: Tx, query: NeighbourhoodQuery): Promise<Neighbourhood> {
  const hops = new Map<string, number>();
  const nodes = new Map<string, NodeRef>();
  const add = (node: NodeRef, distance: number) => {
    if (nodes.has(getKey(node)) || nodes.size >= query.limit) return false;
    nodes.set(getKey(node), node);
    hops.set(getKey(node), distance);
    return true;
  };
  let wave = query.centers.filter((node) => add(node, 0));
  for (let distance = 1; distance <= query.depth && wave.length > 0; distance += 1) {
    const edges = await loadEdges(tx, wave, query);
    const next: NodeRef[] = [];
    const used = new Map<string, number>();
    for (const { from, to } of addReversed(edges, wave)) {
      const count = used.get(getKey(from)) ?? 0;
      if (count >= MAX_NEIGHBOURS || !add(to, distance)) continue;
      used.set(getKey(from), count + 1);
      next.push(to);
    }
    wave = next;
  }
  return describeNodes(tx, query, { shown: nodes, hops });
}

async function describeNodes(
  tx: Tx,
  query: NeighbourhoodQuery,
  { shown, hops }: { shown: Map<string, NodeRef>; hops: Map<string, number> },
): Promise<Neighbourhood> {
  const loaded = await loadNodes(tx, [...shown.values()], query.validAt);
  const nodes = [...shown.keys()].flatMap((key) => loaded.get(key) ?? []);
  const present = new Set(nodes.map(({ key }) => key));
  const all = await loadEdges(tx, [...shown.values()], query);
  const edges = all.filter((edge) => present.has(getKey(edge.a)) && present.has(getKey(edge.b)));
  const visible = new Map<string, Set<string>>();
  const note = (from: string, to: string) =>
    visible.set(from, (visible.get(from) ?? new Set()).add(to));
  for (const { a, b } of edges) {
    note(getKey(a), getKey(b));
    note(getKey(b), getKey(a));
  }
  const degrees = await countNeighbours(tx, [...shown.values()], query);
  return {
    nodes: nodes
      .map((node) => {
        const seen = visible.get(node.key)?.size ?? 0;
        const degree = Math.max(degrees.get(node.key) ?? 0, seen);
        return { ...node, hops: hops.get(node.key) ?? 0, degree, folded: degree - seen };
      })
      .sort((a, b) => a.hops - b.hops || compareKinds(a, b)),
    edges,
  };
}

function addReversed(edges: readonly GraphEdge[], wave: readonly NodeRef[]) {
  const starts = new Set(wave.map(getKey));
  return [...edges]
    .sort((a, b) => b.strength - a.strength || compareEdges(a, b))
    .flatMap(({ a, b }) => [
      ...(starts.has(getKey(a)) ? [{ from: a, to: b }] : []),
      ...(starts.has(getKey(b)) ? [{ from: b, to: a }] : []),
    ]);
}

/** Newest first, for a deterministic result. */
function compareEdges(a: GraphEdge, b: GraphEdge): number {
  return b.a.number - a.a.number || b.b.number - a.b.number;
}
