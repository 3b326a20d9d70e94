import { sql } from "drizzle-orm";
import type { Tx } from "../../../database/index.ts";
import { INDEXED_KINDS, type IndexedKind } from "../../context/indexed-kind.ts";
import { readPin, removePin } from "../../search/embedder-pin.ts";
import { requestVectors } from "../../search/request-vector.ts";
import {
  dropVectorIndex,
  partsWithoutNeighbours,
  vectorIndexExists,
} from "../../search/vector-index.ts";
import { type Check, type Problem, problemOf, problemOfRows } from "../check.ts";
import { activeNumbers, inSlices, itemId, itemTable, publicName } from "../indexed-items.ts";

export const vectors: Check = {
  name: "vectors",
  about: "every active episode and concept has a vector or waits for one, and no other has",
  isDerived: true,
  async find(tx) {
    const problems: Problem[] = [...(await findPin(tx))];
    const hasIndex = await vectorIndexExists(tx);
    for (const kind of INDEXED_KINDS) {
      problems.push(...(await findCoverage(tx, kind)));
      if (hasIndex) problems.push(...(await findSigns(tx, kind)));
    }
    return problems;
  },
  async fix(tx) {
    if (await isBeyondMending(tx)) await forgetAllVectors(tx);
    for (const kind of INDEXED_KINDS) await mend(tx, kind);
  },
};

/** Whether only making all of them anew helps: the index cannot be read, or nothing is found in it. */
async function isBeyondMending(tx: Tx): Promise<boolean> {
  if ((await findPin(tx)).length > 0) return true;
  if (!(await vectorIndexExists(tx))) return false;
  try {
    for (const kind of INDEXED_KINDS) {
      await findSigns(tx, kind);
      if ((await partsWithoutNeighbours(tx, kind)).length > 0) return true;
    }
    return false;
  } catch {
    return true;
  }
}

/** Takes every vector and the embedder's name away and asks for all of them anew. */
export async function forgetAllVectors(tx: Tx): Promise<void> {
  await dropVectorIndex(tx);
  await removePin(tx);
  await tx.run(sql`delete from pending_vectors`);
  for (const kind of INDEXED_KINDS) {
    await tx.run(
      sql`insert into pending_vectors(kind, item_id, revision) select ${kind}, id, abs(random() >> 16) from ${itemTable(kind)} where deleted_at is null`,
    );
  }
}

async function findPin(tx: Tx): Promise<readonly Problem[]> {
  const [stored] = await tx.all<{ count: number; length: number | null; lengths: number }>(
    sql`select count(*) as count, max(length(vector)) as length, count(distinct length(vector)) as lengths from vectors`,
  );
  const { count = 0, length = null, lengths = 0 } = stored ?? {};
  const hasIndex = await vectorIndexExists(tx);
  const pin = await readPin(tx).catch(() => "unreadable" as const);
  if (pin === "unreadable")
    return problemOf("The name of the embedder cannot be read.", ["embedder"]);
  if (pin === undefined) {
    return hasIndex || count > 0
      ? problemOf("There are vectors, but not the name of their embedder.", ["embedder"])
      : [];
  }
  if (!hasIndex) return problemOf("The index of the vectors is missing.", [pin.identity]);
  if (count > 0 && (lengths !== 1 || length !== pin.dimensions)) {
    return problemOf(`Vectors are not of the ${pin.dimensions} dimensions of their embedder.`, [
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
    ...(await problemOfRows(
      tx,
      `Active ${kind}s have no vector and do not wait for one.`,
      sql`select ${itemId(kind, sql`id`)} as item from (${active} except ${stored} except ${waiting})`,
    )),
    ...(await problemOfRows(
      tx,
      `There are vectors of ${kind}s that are deleted or not there.`,
      sql`select item_id as item from (${stored} except ${active})`,
    )),
    ...(await problemOfRows(
      tx,
      `Vectors are waited for of ${kind}s that are deleted or not there.`,
      sql`select item_id as item from (${waiting} except ${active})`,
    )),
  ];
}

/** The sign bits of the coarse search, compared with the vectors. */
async function findSigns(tx: Tx, kind: IndexedKind): Promise<readonly Problem[]> {
  const bits = sql.identifier(`${kind}_bits`);
  const stored = sql`select item_id from vectors where kind = ${kind}`;
  return [
    ...(await problemOfRows(
      tx,
      `The coarse index lacks vectors of ${kind}s.`,
      sql`select ${itemId(kind, sql`item_id`)} as item from (${stored} except select rowid from ${bits})`,
    )),
    ...(await problemOfRows(
      tx,
      `The coarse index holds ${kind}s that have no vector.`,
      sql`select rowid as item from (select rowid from ${bits} except ${stored})`,
    )),
    ...problemOf(
      `The coarse index finds nothing in parts that hold ${kind}s.`,
      (await partsWithoutNeighbours(tx, kind)).map((part) => `part ${part}`),
    ),
    ...problemOf(
      `The coarse index holds other signs than the vectors of ${kind}s.`,
      (await differingSigns(tx, kind)).map((number) => publicName(kind, number)),
    ),
  ];
}

const ROWS_AT_ONCE = 1000;

async function differingSigns(tx: Tx, kind: IndexedKind): Promise<number[]> {
  const bits = sql.identifier(`${kind}_bits`);
  const differing: number[] = [];
  let after = 0;
  for (;;) {
    const rows = await tx.all<{ number: number; vector: Buffer; bits: Buffer | null }>(
      sql`select item_id as number, vector, (select bits from ${bits} where rowid = item_id) as bits from vectors where kind = ${kind} and item_id > ${after} order by item_id limit ${ROWS_AT_ONCE}`,
    );
    for (const row of rows) {
      if (row.bits !== null && !haveSameSigns(row.vector, row.bits)) differing.push(row.number);
    }
    const last = rows.at(-1);
    if (last === undefined) return differing;
    after = last.number;
  }
}

/** A value that was rounded to 0 has lost its sign; every other must agree. */
function haveSameSigns(vector: Buffer, bits: Buffer): boolean {
  for (const [index, byte] of vector.entries()) {
    const value = byte > 127 ? byte - 256 : byte;
    const isPositive = (((bits[index >> 3] ?? 0) >> (index & 7)) & 1) === 1;
    if (value !== 0 && isPositive !== value > 0) return false;
  }
  return true;
}

/** Drops what is not wanted or not whole, and asks for what is missing. */
async function mend(tx: Tx, kind: IndexedKind): Promise<void> {
  const bits = sql.identifier(`${kind}_bits`);
  const active = sql`select id from ${itemTable(kind)} where deleted_at is null`;
  const drop = async (numbers: readonly number[]) => {
    for (const number of numbers) {
      await tx.run(sql`delete from vectors where kind = ${kind} and item_id = ${number}`);
      if (hasIndex) await tx.run(sql`delete from ${bits} where rowid = ${BigInt(number)}`);
    }
  };
  const hasIndex = await vectorIndexExists(tx);
  if (hasIndex) {
    const stored = sql`select item_id from vectors where kind = ${kind}`;
    const uneven = await tx.all<{ number: number }>(
      sql`select item_id as number from (${stored} except select rowid from ${bits}) union select rowid as number from (select rowid from ${bits} except ${stored})`,
    );
    await drop(uneven.map(({ number }) => number));
    await drop(await differingSigns(tx, kind));
  }
  const stray = await tx.all<{ number: number }>(
    sql`select item_id as number from vectors where kind = ${kind} and item_id not in (${active})`,
  );
  await drop(stray.map(({ number }) => number));
  await tx.run(
    sql`delete from pending_vectors where kind = ${kind} and item_id not in (${active})`,
  );
  const covered = await tx.all<{ number: number }>(
    sql`select item_id as number from vectors where kind = ${kind} union select item_id from pending_vectors where kind = ${kind}`,
  );
  const known = new Set(covered.map(({ number }) => number));
  const missing = (await activeNumbers(tx, kind)).filter((number) => !known.has(number));
  await inSlices(missing, (slice) =>
    requestVectors(tx, { episode: [], concept: [], [kind]: slice }),
  );
}
