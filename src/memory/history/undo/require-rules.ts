import { and, asc, eq, inArray, or, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Tx } from "../../../database/index.ts";
import { loadInBatches } from "../../../shared/async.ts";
import { CairnError } from "../../../shared/errors.ts";
import { concepts } from "../../concepts/concept.table.ts";
import { conflicts } from "../../conflicts/conflict.table.ts";
import { episodes } from "../../episodes/episode.table.ts";
import { changes, rowChanges } from "../../events/change.table.ts";
import { facts } from "../../facts/fact.table.ts";
import { findCircle } from "../../facts/find-circles.ts";
import { changeId, conflictId, factId } from "../../input/item-ids.ts";
import { parseImage } from "../describe-rows.ts";
import type { RowEffect } from "./row-effects.ts";

interface RuleViolation {
  readonly message: string;
  /** The conflicting rows, whose last changes block the undo. */
  readonly against: readonly ViolatingRow[];
}

interface ViolatingRow {
  readonly table: string;
  readonly key: number;
  readonly column: string;
}

export class UndoRejected extends CairnError {
  readonly dependents: readonly number[];

  constructor(says: string, standing: readonly number[]) {
    const ids = standing.map(changeId);
    const cure =
      ids.length === 0
        ? ""
        : ` ${ids.join(", ")} conflicts with it: undo that first, or set together=true (--together) to undo it as well.`;
    super("conflict", `${says}.${cure}`, { standing: ids });
    this.dependents = standing;
  }
}

/**
 * Checks the rules about facts and conflicts after an undo or redo has written its rows; column
 * comparison cannot find such violations. Throws UndoRejected. `without`: the changes being undone and
 * the undo itself.
 */
export async function requireRules(
  tx: Tx,
  effects: readonly RowEffect[],
  without: ReadonlySet<number>,
): Promise<void> {
  const breach =
    (await findFactCircle(tx, effects)) ??
    (await findConflictOverHistory(tx, effects, without)) ??
    (await findUndecidedConflict(tx, effects)) ??
    (await findFactWithoutCluster(tx, effects));
  if (breach === undefined) return;
  const standing = await findLastWriters(tx, breach.against, without);
  throw new UndoRejected(breach.message, standing);
}

function selectNumbers(effects: readonly RowEffect[], table: string): number[] {
  return effects
    .filter((effect) => effect.table.name === table && effect.action !== "delete")
    .map(({ key }) => Number(key[0]));
}

async function findFactCircle(
  tx: Tx,
  effects: readonly RowEffect[],
): Promise<RuleViolation | undefined> {
  const numbers = selectNumbers(effects, "facts");
  const circle = await findCircle(tx, numbers);
  if (circle === undefined) return undefined;
  const used = new Set(numbers);
  return {
    message: `${circle.map(factId).join(" and ")} would supersede each other in a cycle`,
    against: circle
      .filter((key) => !used.has(key))
      .map((key) => ({ table: "facts", key, column: "status" })),
  };
}

/** An open conflict needs two active facts; an undo may leave one of them superseded. */
async function findConflictOverHistory(
  tx: Tx,
  effects: readonly RowEffect[],
  without: ReadonlySet<number>,
): Promise<RuleViolation | undefined> {
  const opened = effects.filter(
    ({ table, action, values }) =>
      table.name === "conflicts" && action !== "delete" && values.status === "open",
  );
  const rows = await loadInBatches(selectNumbers(opened, "conflicts"), (slice) =>
    tx
      .select({ conflict: conflicts.id, fact: facts.id })
      .from(conflicts)
      .innerJoin(facts, or(eq(facts.id, conflicts.factA), eq(facts.id, conflicts.factB)))
      .where(and(inArray(conflicts.id, slice), eq(facts.status, "superseded"))),
  );
  for (const { conflict, fact } of rows) {
    const effect = opened.find(({ key }) => Number(key[0]) === conflict);
    const closed = Math.max(...(effect?.changes ?? []));
    const [since] = await findLastWriters(
      tx,
      [{ table: "facts", key: fact, column: "status" }],
      without,
    );
    if (since === undefined || since < closed) continue;
    return {
      message: `${conflictId(conflict)} would be open again over ${factId(fact)}, which was superseded since`,
      against: [{ table: "facts", key: fact, column: "status" }],
    };
  }
  return undefined;
}

async function findUndecidedConflict(
  tx: Tx,
  effects: readonly RowEffect[],
): Promise<RuleViolation | undefined> {
  const loadMatchingRows = (rows: readonly number[], columns: readonly SQL[]) =>
    loadInBatches(rows, (slice) =>
      tx
        .select({ conflict: conflicts.id, status: conflicts.status })
        .from(conflicts)
        .innerJoin(facts, or(eq(facts.id, conflicts.factA), eq(facts.id, conflicts.factB)))
        .where(and(or(...columns.map((column) => inArray(column, slice))), UNDECIDED_CONDITION))
        .orderBy(asc(conflicts.id)),
    );
  const [found] = [
    ...(await loadMatchingRows(selectNumbers(effects, "facts"), [
      sql`${conflicts.factA}`,
      sql`${conflicts.factB}`,
    ])),
    ...(await loadMatchingRows(selectNumbers(effects, "conflicts"), [sql`${conflicts.id}`])),
  ];
  if (found === undefined) return undefined;
  return {
    message:
      found.status === "open"
        ? `${conflictId(found.conflict)} is open, and one of its two facts would supersede the other`
        : `${conflictId(found.conflict)} is resolved, and the fact that lost would be active`,
    against: [{ table: "conflicts", key: found.conflict, column: "status" }],
  };
}

const UNDECIDED_CONDITION = or(
  and(
    eq(conflicts.status, "open"),
    or(
      eq(facts.supersededBy, sql`${conflicts.factA}`),
      eq(facts.supersededBy, sql`${conflicts.factB}`),
    ),
  ),
  and(
    eq(conflicts.status, "resolved"),
    eq(facts.status, "active"),
    sql`${facts.id} <> ${conflicts.winner}`,
  ),
);

/** An active fact must not belong to a deleted cluster. */
async function findFactWithoutCluster(
  tx: Tx,
  effects: readonly RowEffect[],
): Promise<RuleViolation | undefined> {
  const cluster = alias(concepts, "cluster");
  const loadLostRows = (rows: readonly number[], column: SQL) =>
    loadInBatches(rows, (slice) =>
      tx
        .select({ fact: facts.id, cluster: cluster.id, name: cluster.publicId })
        .from(facts)
        .innerJoin(cluster, eq(cluster.id, facts.clusterId))
        .innerJoin(episodes, eq(episodes.id, facts.episodeId))
        .where(
          and(
            inArray(column, slice),
            eq(facts.status, "active"),
            sql`${episodes.deletedAt} is null`,
            sql`${cluster.deletedAt} is not null`,
          ),
        ),
    );
  const [found] = [
    ...(await loadLostRows(selectNumbers(effects, "facts"), sql`${facts.id}`)),
    ...(await loadLostRows(selectNumbers(effects, "episodes"), sql`${facts.episodeId}`)),
    ...(await loadLostRows(selectNumbers(effects, "concepts"), sql`${facts.clusterId}`)),
  ];
  if (found === undefined) return undefined;
  return {
    message: `${factId(found.fact)} would be active in ${found.name}, which is deleted`,
    against: [{ table: "concepts", key: found.cluster, column: "deleted_at" }],
  };
}

async function findLastWriters(
  tx: Tx,
  rows: readonly ViolatingRow[],
  without: ReadonlySet<number>,
): Promise<number[]> {
  const writers = new Set<number>();
  for (const { table, key, column } of rows) {
    const found = await tx
      .select({ number: changes.id, row: rowChanges })
      .from(rowChanges)
      .innerJoin(changes, eq(changes.id, rowChanges.changeId))
      .where(
        and(
          eq(rowChanges.tableName, table),
          eq(rowChanges.rowKey, JSON.stringify([key])),
          sql`${changes.undoneBy} is null`,
        ),
      )
      .orderBy(asc(rowChanges.seq));
    const newest = found.findLast(
      ({ number, row }) =>
        !without.has(number) && (row.action !== "update" || column in parseImage(row.after)),
    );
    if (newest !== undefined) writers.add(newest.number);
  }
  return [...writers].sort((a, b) => a - b);
}
