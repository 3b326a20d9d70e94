import {
  type AnyColumn,
  and,
  asc,
  count,
  desc,
  eq,
  inArray,
  isNotNull,
  notExists,
  or,
  type SQL,
  sql,
} from "drizzle-orm";
import { listOfValues, numbersParameter, preparedQuery, type Tx } from "../../database/index.ts";
import { loadInBatches } from "../../shared/async.ts";
import { indexBy } from "../../shared/collections.ts";
import { notFound, stateConflict } from "../../shared/errors.ts";
import { isBelow, type Page } from "../context/page-cursor.ts";
import { episodes } from "../episodes/episode.table.ts";
import { loadFacts } from "../facts/fact.queries.ts";
import { facts } from "../facts/fact.table.ts";
import { conflictId, factId, parseNumberedId } from "../input/item-ids.ts";
import { sumTotals } from "../totals.ts";
import type { ConflictRecord } from "./conflict.schema.ts";
import { type CONFLICT_KINDS, type CONFLICT_STATUSES, conflicts } from "./conflict.table.ts";

export type ConflictRow = typeof conflicts.$inferSelect;

/** Order-independent key of a pair of facts. */
export const conflictPair = (a: number, b: number): string => `${Math.min(a, b)}:${Math.max(a, b)}`;

export async function requireOpenConflict(tx: Tx, id: string, field: string): Promise<ConflictRow> {
  const number = parseNumberedId(id, "conflict", field);
  const [row] = await tx.select().from(conflicts).where(eq(conflicts.id, number));
  if (row === undefined) throw notFound(`${field}: there is no conflict ${id}`);
  if (row.status === "open") return row;
  throw stateConflict(`${field}: ${id} is already ${row.status}; only an open conflict can change`);
}

export interface ConflictFilter {
  readonly status?: (typeof CONFLICT_STATUSES)[number] | "all" | undefined;
  readonly kind?: (typeof CONFLICT_KINDS)[number] | undefined;
  readonly passes?: SQL | undefined;
}

export async function listConflictPositions(
  tx: Tx,
  filter: ConflictFilter,
  page?: Page,
): Promise<[time: string, number: number][]> {
  const { createdAt, id } = conflicts;
  const query = tx
    .select({ time: createdAt, id })
    .from(conflicts)
    .where(and(conflictCondition(tx, filter), isBelow([createdAt, id], page?.after)))
    .orderBy(desc(createdAt), desc(id));
  const rows = page === undefined ? await query : await query.limit(page.limit).offset(page.offset);
  return rows.map((row) => [row.time, row.id]);
}

export async function countConflicts(tx: Tx, filter: ConflictFilter): Promise<number> {
  if (filter.kind === undefined && filter.passes === undefined) {
    const names = filter.status === "all" ? undefined : filter.status && [filter.status];
    return sumTotals(tx, { kinds: ["conflicts"], names });
  }
  const [row] = await tx
    .select({ total: count() })
    .from(conflicts)
    .where(conflictCondition(tx, filter));
  return row?.total ?? 0;
}

function conflictCondition(tx: Tx, { status, kind, passes }: ConflictFilter) {
  return and(
    status === undefined || status === "all" ? undefined : eq(conflicts.status, status),
    kind === undefined ? undefined : eq(conflicts.kind, kind),
    notExists(findDeletedSides(tx)),
    passes,
  );
}

/** Conflicts of deleted facts are inactive until the fact is restored. */
function findDeletedSides(tx: Tx) {
  return tx
    .select({ id: facts.id })
    .from(facts)
    .innerJoin(episodes, eq(episodes.id, facts.episodeId))
    .where(
      and(
        or(eq(facts.id, conflicts.factA), eq(facts.id, conflicts.factB)),
        isNotNull(episodes.deletedAt),
      ),
    );
}

export async function loadConflicts(tx: Tx, numbers: readonly number[]): Promise<ConflictRecord[]> {
  const rows = await loadInBatches(numbers, (slice) =>
    tx.select().from(conflicts).where(inArray(conflicts.id, slice)),
  );
  const byNumber = indexBy(rows, (row) => row.id);
  return toConflictRecords(
    tx,
    numbers.flatMap((number) => byNumber.get(number) ?? []),
  );
}

export async function loadOpenConflictsOfFacts(
  tx: Tx,
  factNumbers: readonly number[],
): Promise<ConflictRecord[]> {
  if (factNumbers.length === 0) return [];
  const rows = await getOpenConflicts(tx).execute({ numbers: listOfValues(factNumbers) });
  return rows.length === 0 ? [] : toConflictRecords(tx, rows);
}

/**
 * The status is a literal: with a placeholder, SQLite would replan on each run, because the partial
 * index depends on the value.
 */
const getOpenConflicts = preparedQuery((tx) => {
  const side = (column: AnyColumn) =>
    sql`select ${conflicts.id} from ${conflicts} where ${column} in (${numbersParameter("numbers")})`;
  return tx
    .select()
    .from(conflicts)
    .where(
      and(
        sql`${conflicts.status} = 'open'`,
        conflictCondition(tx, {}),
        sql`${conflicts.id} in (${side(conflicts.factA)} union all ${side(conflicts.factB)})`,
      ),
    )
    .orderBy(asc(conflicts.id))
    .prepare();
});

async function toConflictRecords(tx: Tx, rows: readonly ConflictRow[]): Promise<ConflictRecord[]> {
  const numbers = [...new Set(rows.flatMap((row) => [row.factA, row.factB]))];
  const records = indexBy(await loadFacts(tx, numbers), (fact) => fact.id);
  return rows.flatMap((row) => {
    const factA = records.get(factId(row.factA));
    const factB = records.get(factId(row.factB));
    if (factA === undefined || factB === undefined) return [];
    return {
      id: conflictId(row.id),
      kind: row.kind,
      status: row.status,
      severity: row.severity,
      description: row.description,
      fact_a: factA,
      fact_b: factB,
      winner: row.winner === null ? null : factId(row.winner),
      note: row.note,
      resolved_by: row.resolvedBy,
      created_at: row.createdAt,
      resolved_at: row.resolvedAt,
    };
  });
}

/** Maps each disputed fact's id to its open conflict. */
export function mapDisputes(conflicts: readonly ConflictRecord[]): ReadonlyMap<string, string> {
  return new Map(
    conflicts.flatMap(({ id, fact_a: a, fact_b: b }) => [a, b].map((fact) => [fact.id, id])),
  );
}
