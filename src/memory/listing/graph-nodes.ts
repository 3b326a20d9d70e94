import { sql } from "drizzle-orm";
import { numberSet, rowsOf, type Tx } from "../../database/index.ts";
import { shortenLine } from "../../shared/text.ts";
import { FACT_CLUSTER } from "../concepts/concept.schema.ts";
import { entityId } from "../entities/entity.queries.ts";
import { presentStatements } from "../facts/present-statements.ts";
import { episodeId } from "../input/item-ids.ts";
import { keyOf, NODE_KINDS, type NodeKind, type NodeRef } from "./node-kinds.ts";

export interface GraphNode {
  readonly key: string;
  readonly id: string;
  readonly kind: NodeKind;
  readonly type: string;
  readonly title: string;
  /** When it happened or was first written. */
  readonly at: string;
  /** Of a concept, 0..1. */
  readonly confidence: number | null;
}

const TITLE_CHARS = 80;

type Row = [
  number: number,
  id: string,
  type: string,
  title: string,
  at: string,
  confidence: number | null,
];

export async function loadNodes(
  tx: Tx,
  nodes: readonly NodeRef[],
  validAt?: string,
): Promise<Map<string, GraphNode>> {
  const found = new Map<string, GraphNode>();
  for (const kind of NODE_KINDS) {
    const numbers = nodes.filter((node) => node.kind === kind).map(({ number }) => number);
    if (numbers.length === 0) continue;
    const rows = await rowsOfKind(tx, kind, numbers);
    const clusters = rows.flatMap(([number, , type]) => (type === FACT_CLUSTER ? [number] : []));
    const stated =
      kind === "concept"
        ? await presentStatements(tx, clusters, validAt)
        : new Map<number, never>();
    for (const [number, id, type, title, at, confidence] of rows) {
      const key = keyOf({ kind, number });
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
        title: shortenLine(stated.get(number)?.statement ?? title, TITLE_CHARS),
        at,
        confidence,
      });
    }
  }
  return found;
}

function rowsOfKind(tx: Tx, kind: NodeKind, numbers: readonly number[]): Promise<Row[]> {
  const among = numberSet(numbers);
  const queries = {
    concept: sql`select id, public_id, type, title, created_at, confidence from concepts
      where id in (${among}) and deleted_at is null`,
    episode: sql`select id, '', episode_type, substr(content, 1, 400), coalesce(occurred_at, created_at), null
      from episodes where id in (${among}) and deleted_at is null`,
    entity: sql`select id, '', type, name, created_at, null from entities where id in (${among})`,
  };
  return rowsOf(tx, queries[kind]);
}
