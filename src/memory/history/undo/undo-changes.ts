import { and, asc, eq, gt, inArray } from "drizzle-orm";
import {
  deferReferences,
  inSavepoint,
  type Tx,
  withPlanPerValue,
} from "../../../database/index.ts";
import { EventLoopYielder, loadInBatches, yieldToEventLoop } from "../../../shared/async.ts";
import { CairnError, stateConflict } from "../../../shared/errors.ts";
import { refreshCluster } from "../../concepts/refresh-cluster.ts";
import type { WriteContext } from "../../context/write-context.ts";
import { changes, rowChanges } from "../../events/change.table.ts";
import { rebuildClusterEntities } from "../../facts/cluster-entities.ts";
import { facts } from "../../facts/fact.table.ts";
import { changeId } from "../../input/item-ids.ts";
import { findReaders } from "../../search/renew-vectors.ts";
import type { RowChange } from "../describe-rows.ts";
import type { ChangeRow } from "../load-changes.ts";
import { type DependentChanges, findDependents } from "./find-dependents.ts";
import { createItemEffects, type ItemEffect, toEvents } from "./inverse-changeset.ts";
import { requireRules, UndoRejected } from "./require-rules.ts";
import { computeRowEffects, type RowEffect, reuseExistingEntities } from "./row-effects.ts";
import { markUndone } from "./select-changes.ts";
import { writeEffects } from "./write-effects.ts";

export interface Undone {
  readonly undone: readonly ChangeRow[];
  readonly effects: readonly ItemEffect[];
}

/**
 * Undoes changes in the transaction of `context`; the undo becomes that context's change. Throws
 * conflict, with `details.standing`, if later changes depend on them; with `together` those are
 * undone as well.
 */
export async function undoChanges(
  context: WriteContext,
  chosen: readonly ChangeRow[],
  isCombined: boolean,
): Promise<Undone> {
  const { tx } = context;
  const written = await writeUndone(context, chosen, isCombined);
  const { undone, effects, dependents, items, clusters } = written;
  context.renew(written.readers);
  for (const row of await loadClusters(tx, effects)) clusters.add(row);
  await recomputeDerived(context, { effects, dependents, clusters });
  await markUndone(tx, undone, await context.change);
  const ids = undone.map(({ id }) => changeId(id));
  for (const event of toEvents(items, ids)) await context.emit(event);
  return { undone, effects: items };
}

interface WrittenUndo extends UndoPlan {
  readonly items: readonly ItemEffect[];
  readonly clusters: Set<number>;
  readonly readers: readonly number[];
}

/** Writes the former rows, or throws if the rules forbid them. */
async function writeUndone(
  context: WriteContext,
  chosen: readonly ChangeRow[],
  isCombined: boolean,
): Promise<WrittenUndo> {
  const { tx } = context;
  for (let used = chosen; ; ) {
    const gathered = await withPlanPerValue(tx, () => planUndo(tx, used, isCombined));
    const { undone, effects, dependents } = gathered;
    try {
      return await inSavepoint(tx, async () => {
        const { retained } = dependents;
        const items = await createItemEffects(
          tx,
          effects.filter((effect) => !retained.has(effect)),
        );
        const clusters = await loadClusters(tx, effects);
        // Read before the rows are written, because an episode's session is removed with it.
        const episodes = effects.filter(({ table }) => table.name === "episodes");
        const readers = await findReaders(
          tx,
          episodes.map(({ key }) => Number(key[0])),
        );
        await deferReferences(tx);
        await writeEffects(tx, effects, dependents);
        await requireRules(
          tx,
          effects,
          new Set([...undone.map(({ id }) => id), await context.change]),
        );
        return { ...gathered, items, clusters, readers };
      });
    } catch (error) {
      if (!isCombined || !(error instanceof UndoRejected) || error.dependents.length === 0)
        throw error;
      used = [...undone, ...(await loadChanges(tx, error.dependents))];
    }
  }
}

interface UndoPlan {
  readonly undone: readonly ChangeRow[];
  readonly effects: readonly RowEffect[];
  readonly dependents: DependentChanges;
}

async function planUndo(
  tx: Tx,
  chosen: readonly ChangeRow[],
  isCombined: boolean,
): Promise<UndoPlan> {
  const undone = new Map(chosen.map((row) => [row.id, row]));
  for (;;) {
    const rows = await loadRows(tx, [...undone.keys()]);
    const effects = await reuseExistingEntities(tx, await computeRowEffects(rows));
    const dependents = await findDependents(tx, effects, new Set(undone.keys()));
    if (dependents.changes.size === 0) {
      const newestFirst = [...undone.values()].sort((a, b) => b.id - a.id);
      return { undone: newestFirst, effects, dependents };
    }
    const additional = await loadChanges(tx, dependents.changes);
    if (!isCombined && !(await findRedoneUndos(tx, additional, undone))) {
      throw describeDependents(chosen, dependents.changes);
    }
    for (const row of additional) undone.set(row.id, row);
  }
}

/** Returns true if these changes only redo the changes to be undone; they are undone with them. */
async function findRedoneUndos(
  tx: Tx,
  rows: readonly ChangeRow[],
  used: ReadonlyMap<number, ChangeRow>,
): Promise<boolean> {
  const redone = rows.flatMap(({ undoOf }) => undoOf ?? []);
  if (rows.some(({ undoOf }) => undoOf === null)) return false;
  const undos = await loadChanges(tx, redone);
  return undos.every(({ undoOf }) => undoOf?.every((number) => used.has(number)) === true);
}

function loadChanges(tx: Tx, numbers: Iterable<number>): Promise<ChangeRow[]> {
  return loadInBatches([...numbers], (slice) =>
    tx.select().from(changes).where(inArray(changes.id, slice)),
  );
}

async function loadRows(tx: Tx, numbers: readonly number[]): Promise<RowChange[]> {
  const rows: RowChange[] = [];
  for (const number of numbers) {
    for await (const page of loadRowsOfChange(tx, number)) rows.push(...page);
  }
  const purged = rows.find((row) => row.purged);
  if (purged === undefined) return rows.sort((a, b) => a.seq - b.seq);
  throw stateConflict(
    `${changeId(purged.changeId)} wrote items that were purged later, so it cannot be undone`,
  );
}

const ROWS_PER_BATCH = 500;

async function* loadRowsOfChange(tx: Tx, number: number): AsyncGenerator<RowChange[]> {
  for (let last = 0; ; ) {
    const page = await tx
      .select()
      .from(rowChanges)
      .where(and(eq(rowChanges.changeId, number), gt(rowChanges.seq, last)))
      .orderBy(asc(rowChanges.seq))
      .limit(ROWS_PER_BATCH);
    yield page;
    last = page.at(-1)?.seq ?? last;
    if (page.length < ROWS_PER_BATCH) return;
    await yieldToEventLoop();
  }
}

const MAX_NAMED = 20;

function describeDependents(
  chosen: readonly ChangeRow[],
  standing: ReadonlySet<number>,
): CairnError {
  const ids = [...standing].sort((a, b) => a - b).map(changeId);
  const more = ids.length > MAX_NAMED ? ` and ${ids.length - MAX_NAMED} more` : "";
  const what = chosen.length === 1 ? changeId(chosen[0]?.id ?? 0) : "These changes";
  return new CairnError(
    "conflict",
    `${what} cannot be undone alone: ${ids.slice(0, MAX_NAMED).join(", ")}${more} depend on it. Set together=true (--together) to undo them as well.`,
    { standing: ids },
  );
}

async function loadClusters(tx: Tx, effects: readonly RowEffect[]): Promise<Set<number>> {
  const numbers = (name: string) =>
    effects.filter(({ table }) => table.name === name).map(({ key }) => Number(key[0]));
  const ofFacts = await loadInBatches(numbers("facts"), (slice) =>
    tx.select({ id: facts.clusterId }).from(facts).where(inArray(facts.id, slice)),
  );
  const ofEpisodes = await loadInBatches(numbers("episodes"), (slice) =>
    tx.select({ id: facts.clusterId }).from(facts).where(inArray(facts.episodeId, slice)),
  );
  return new Set([...ofFacts, ...ofEpisodes].map(({ id }) => id));
}

/** Recomputes derived data: cluster entities, shared counts and the index. */
async function recomputeDerived(
  context: WriteContext,
  {
    effects,
    dependents,
    clusters,
  }: { effects: readonly RowEffect[]; dependents: DependentChanges; clusters: ReadonlySet<number> },
): Promise<void> {
  const recounted = new Set<number>();
  for (const effect of effects) {
    const { table, key } = effect;
    const number = Number(key[0]);
    if (table.name === "concepts") {
      context.touch("concept", number);
      if (dependents.retained.has(effect) || dependents.rewritten.has(effect))
        recounted.add(number);
    } else if (table.name === "episodes" || table.name === "episode_entities") {
      context.touch("episode", number);
    } else if (table.name === "passages") {
      context.touch("passage", number);
    }
  }
  const turn = new EventLoopYielder();
  for (const number of clusters) {
    if (!recounted.has(number)) await rebuildClusterEntities(context.tx, number);
    await turn.yieldIfDue();
  }
  for (const number of recounted) {
    await refreshCluster(context, number);
    await turn.yieldIfDue();
  }
}
