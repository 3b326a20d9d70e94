import { type SQL, sql } from "drizzle-orm";
import { numberSet, selectRows, type Tx } from "../../database/index.ts";
import { getKey, type NodeKind, type NodeRef } from "./node-kinds.ts";

export interface GraphEdge {
  readonly a: NodeRef;
  readonly b: NodeRef;
  readonly kind: EdgeKind;
  readonly type: string;
  readonly strength: number;
  readonly validFrom: string | null;
  readonly validTo: string | null;
}

export const EDGE_KINDS = ["relation", "source", "evidence", "fact", "mention", "entity"] as const;

export type EdgeKind = (typeof EDGE_KINDS)[number];

interface EdgeSource {
  readonly ends: readonly [a: NodeKind, b: NodeKind];
  readonly columns: readonly [a: SQL, b: SQL];
  readonly table: SQL;
  readonly type: SQL;
  readonly strength: SQL;
  readonly validCondition?: (validAt: string) => SQL;
  readonly window?: readonly [from: SQL, to: SQL];
}

const EDGE_SOURCES: Readonly<Record<EdgeKind, EdgeSource>> = {
  relation: {
    ends: ["concept", "concept"],
    columns: [sql`source_id`, sql`target_id`],
    table: sql`relations`,
    type: sql`type`,
    strength: sql`strength`,
  },
  source: {
    ends: ["concept", "episode"],
    columns: [sql`concept_id`, sql`episode_id`],
    table: sql`concept_sources`,
    type: sql`'source'`,
    strength: sql`1.0`,
  },
  evidence: {
    ends: ["concept", "episode"],
    columns: [sql`concept_id`, sql`episode_id`],
    table: sql`evidence`,
    type: sql`type`,
    strength: sql`strength`,
    validCondition: (at) => sql`created_at <= ${at}`,
  },
  fact: {
    ends: ["concept", "episode"],
    columns: [sql`cluster_id`, sql`episode_id`],
    table: sql`facts`,
    type: sql`status`,
    strength: sql`1.0`,
    validCondition: (at) => sql`valid_from <= ${at} and (valid_to is null or valid_to > ${at})`,
    window: [sql`valid_from`, sql`valid_to`],
  },
  mention: {
    ends: ["episode", "entity"],
    columns: [sql`episode_id`, sql`entity_id`],
    table: sql`episode_entities`,
    type: sql`'mention'`,
    strength: sql`0.5`,
  },
  entity: {
    ends: ["entity", "entity"],
    columns: [sql`source_id`, sql`target_id`],
    table: sql`entity_relations`,
    type: sql`relation`,
    strength: sql`strength`,
    validCondition: (at) => sql`created_at <= ${at}`,
  },
};

export interface EdgeScope {
  readonly kinds: readonly NodeKind[];
  readonly validAt: string | undefined;
}

/** Maximum edges per kind, or per node of a large map; entities may have many mentions. */
const MAX_EDGES = 2000;
const EDGES_PER_NODE = 4;

type EdgeRow = [
  a: number,
  b: number,
  type: string,
  strength: number,
  from: string | null,
  to: string | null,
];

export async function loadEdges(
  tx: Tx,
  nodes: readonly NodeRef[],
  scope: EdgeScope,
): Promise<GraphEdge[]> {
  const found: GraphEdge[] = [];
  for (const kind of EDGE_KINDS) {
    const source = EDGE_SOURCES[kind];
    if (!source.ends.every((end) => scope.kinds.includes(end))) continue;
    const [a, b] = source.ends;
    for (const row of await loadRowsAt(tx, source, { nodes, scope })) {
      found.push({
        a: { kind: a, number: row[0] },
        b: { kind: b, number: row[1] },
        kind,
        type: row[2],
        strength: row[3],
        validFrom: row[4],
        validTo: row[5],
      });
    }
  }
  return found;
}

async function loadRowsAt(
  tx: Tx,
  source: EdgeSource,
  { nodes, scope }: { nodes: readonly NodeRef[]; scope: EdgeScope },
): Promise<EdgeRow[]> {
  const rows = new Map<string, EdgeRow>();
  for (const side of [0, 1] as const) {
    const near = selectNumbers(nodes, source.ends[side]);
    if (near.length === 0) continue;
    const limit = Math.max(MAX_EDGES, EDGES_PER_NODE * near.length);
    const [from, to] = source.window ?? [sql`null`, sql`null`];
    const [a, b] = source.columns;
    const found = await selectRows<EdgeRow>(
      tx,
      sql`select ${a}, ${b}, ${source.type}, ${source.strength}, ${from}, ${to}
        from ${source.table} where ${edgeCondition(source, { side, near, scope })}
        order by ${source.columns[1 - side] ?? b} desc limit ${limit}`,
    );
    for (const row of found) rows.set(JSON.stringify(row.slice(0, 3)), row);
  }
  return [...rows.values()];
}

function edgeCondition(
  source: EdgeSource,
  { side, near, scope }: { side: 0 | 1; near: readonly number[]; scope: EdgeScope },
): SQL {
  const far = side === 0 ? 1 : 0;
  const column = source.columns[far];
  const isThere = presenceCondition(source.ends[far], scope.validAt);
  const holds =
    scope.validAt === undefined || source.validCondition === undefined
      ? sql`true`
      : source.validCondition(scope.validAt);
  const there = isThere === undefined ? sql`true` : isThere(sql`${source.table}.${column}`);
  return sql`${source.columns[side]} in (${numberSet(near)}) and ${holds} and ${there}`;
}

function presenceCondition(
  kind: NodeKind,
  validAt: string | undefined,
): ((number: SQL) => SQL) | undefined {
  if (kind === "entity") {
    return validAt === undefined
      ? undefined
      : (number) =>
          sql`exists (select 1 from entities node where node.id = ${number} and node.created_at <= ${validAt})`;
  }
  const table = sql.raw(kind === "episode" ? "episodes" : "concepts");
  const at = sql.raw(
    kind === "episode" ? "coalesce(node.occurred_at, node.created_at)" : "node.created_at",
  );
  const young = validAt === undefined ? sql`` : sql` and ${at} <= ${validAt}`;
  return (number) =>
    sql`exists (select 1 from ${table} node where node.id = ${number} and node.deleted_at is null${young})`;
}

export async function countNeighbours(
  tx: Tx,
  nodes: readonly NodeRef[],
  scope: EdgeScope,
): Promise<Map<string, number>> {
  const totals = new Map<string, number>();
  for (const nearby of scope.kinds) {
    for (const far of scope.kinds) {
      const pairs = selectPairs([nearby, far], selectNumbers(nodes, nearby), scope);
      if (pairs.length === 0) continue;
      const rows = await selectRows<[number: number, count: number]>(
        tx,
        sql`select pair.near, count(*) from (${sql.join(pairs, sql` union `)}) pair group by 1`,
      );
      for (const [number, count] of rows) {
        const key = getKey({ kind: nearby, number });
        totals.set(key, (totals.get(key) ?? 0) + count);
      }
    }
  }
  return totals;
}

function selectPairs(
  [nearby, far]: readonly [NodeKind, NodeKind],
  numbers: readonly number[],
  scope: EdgeScope,
): SQL[] {
  if (numbers.length === 0) return [];
  return EDGE_KINDS.flatMap((kind) =>
    ([0, 1] as const).flatMap((side) => {
      const source = EDGE_SOURCES[kind];
      const other = side === 0 ? 1 : 0;
      if (source.ends[side] !== nearby || source.ends[other] !== far) return [];
      const condition = edgeCondition(source, { side, near: numbers, scope });
      return sql`select ${source.columns[side]} as near, ${source.columns[other]} as far from ${source.table} where ${condition}`;
    }),
  );
}

function selectNumbers(nodes: readonly NodeRef[], kind: NodeKind): number[] {
  return nodes.filter((node) => node.kind === kind).map(({ number }) => number);
}
