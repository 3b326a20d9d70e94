import { sql } from "drizzle-orm";
import { RANDOM_NUMBER, type Tx } from "../../../database/index.ts";
import { forEachKind, INDEXED_KINDS, type IndexedKind } from "../../context/indexed-kind.ts";
import { createProblem, createRowProblem, type Problem } from "../../context/problem.ts";
import { readPin, removePin } from "../../search/embedder-pin.ts";
import { activeNumbers, itemId, itemTable, loadInSlices } from "../../search/indexed-items.ts";
import { requestVectors } from "../../search/renew-vectors.ts";
import { dropVectors, getVectorIndex, removeVectors } from "../../search/vector-index.ts";
import type { Check } from "../check.ts";

export const vectors: Check = {
  name: "vectors",
  about:
    "every active episode, concept and passage has a vector or waits for one, and no other has",
  isDerived: true,
  async find(tx) {
    const problems: Problem[] = [...(await findPin(tx))];
    const hasIndex = await getVectorIndex(tx).exists(tx);
    for (const kind of INDEXED_KINDS) {
      problems.push(...(await findCoverage(tx, kind)));
      if (!hasIndex) continue;
      problems.push(...(await getVectorIndex(tx).findProblems(tx, kind)));
      if (await getVectorIndex(tx).isBlind(tx, kind)) {
        problems.push(...createProblem(`The vector search misses the nearest ${kind}s.`, [kind]));
      }
    }
    return problems;
  },
  async fix(tx) {
    if (await needsRebuild(tx)) await forgetAllVectors(tx);
    for (const kind of INDEXED_KINDS) await repairVectors(tx, kind);
  },
};

/** Returns true if the index is unreadable or empty, so that only a full rebuild helps. */
async function needsRebuild(tx: Tx): Promise<boolean> {
  if ((await findPin(tx)).length > 0) return true;
  if (!(await getVectorIndex(tx).exists(tx))) return false;
  try {
    for (const kind of INDEXED_KINDS) {
      const problems = await getVectorIndex(tx).findProblems(tx, kind);
      if (problems.length === 0 && (await getVectorIndex(tx).isBlind(tx, kind))) return true;
    }
    return false;
  } catch {
    return true;
  }
}

export async function forgetAllVectors(tx: Tx): Promise<void> {
  await removePin(tx);
  await dropVectors(tx);
  await tx.run(sql`delete from pending_vectors`);
  for (const kind of INDEXED_KINDS) {
    await tx.run(
      sql`insert into pending_vectors(kind, item_id, revision) select ${kind}, id, ${RANDOM_NUMBER} from ${itemTable(kind)} where deleted_at is null`,
    );
  }
}

async function findPin(tx: Tx): Promise<readonly Problem[]> {
  const [stored] = await tx.all<{ count: number; length: number | null; lengths: number }>(
    sql`select count(*) as count, max(length(vector)) as length, count(distinct length(vector)) as lengths from vectors`,
  );
  const { count = 0, length = null, lengths = 0 } = stored ?? {};
  const index = getVectorIndex(tx);
  const hasIndex = await index.exists(tx);
  const pin = await readPin(tx).catch(() => "unreadable" as const);
  if (pin === "unreadable")
    return createProblem("The stored name of the embedder cannot be read.", ["embedder"]);
  if (pin === undefined) {
    return (hasIndex && index.isOfOneLength) || count > 0
      ? createProblem("Vectors exist, but the name of their embedder is missing.", ["embedder"])
      : [];
  }
  if (!hasIndex) return createProblem("The vector index is missing.", [pin.identity]);
  if (count > 0 && (lengths !== 1 || length !== pin.dimensions)) {
    return createProblem(`Vectors are not of the ${pin.dimensions} dimensions of their embedder.`, [
      pin.identity,
    ]);
  }
  return [];
}

async function findCoverage(tx: Tx, kind: IndexedKind): Promise<readonly Problem[]> {
  const active = sql`select id from ${itemTable(kind)} where deleted_at is null`;
  const stored = sql`select item_id from vectors where kind = ${kind}`;
  const waiting = sql`select item_id from pending_vectors where kind = ${kind}`;
  return [
    ...(await createRowProblem(
      tx,
      `Active ${kind}s have no vector and do not wait for one.`,
      sql`select ${itemId(kind, sql`id`)} as item from (${active} except ${stored} except ${waiting})`,
    )),
    ...(await createRowProblem(
      tx,
      `Vectors exist for ${kind}s that are deleted or missing.`,
      sql`select item_id as item from (${stored} except ${active})`,
    )),
    ...(await createRowProblem(
      tx,
      `Vectors are pending for ${kind}s that are deleted or missing.`,
      sql`select item_id as item from (${waiting} except ${active})`,
    )),
  ];
}

async function repairVectors(tx: Tx, kind: IndexedKind): Promise<void> {
  const active = sql`select id from ${itemTable(kind)} where deleted_at is null`;
  const index = getVectorIndex(tx);
  if (await index.exists(tx)) {
    await loadInSlices(await index.differing(tx, kind), async (slice) => {
      await removeVectors(tx, kind, slice);
      await index.remove(tx, kind, slice);
    });
  }
  const stray = await tx.all<{ number: number }>(
    sql`select item_id as number from vectors where kind = ${kind} and item_id not in (${active})`,
  );
  await loadInSlices(
    stray.map(({ number }) => number),
    (slice) => removeVectors(tx, kind, slice),
  );
  await tx.run(
    sql`delete from pending_vectors where kind = ${kind} and item_id not in (${active})`,
  );
  const covered = await tx.all<{ number: number }>(
    sql`select item_id as number from vectors where kind = ${kind} union select item_id from pending_vectors where kind = ${kind}`,
  );
  const known = new Set(covered.map(({ number }) => number));
  const missing = (await activeNumbers(tx, kind)).filter((number) => !known.has(number));
  await loadInSlices(missing, (slice) =>
    requestVectors(tx, { ...forEachKind(() => []), [kind]: slice }),
  );
}
