import { sql } from "drizzle-orm";
import { inSavepoint, numberSet, type Tx, withShadowTables } from "../../../database/index.ts";
import type { IndexedKind } from "../../context/indexed-kind.ts";
import { createProblem, type Problem } from "../../context/problem.ts";

/** Row and word counts of BM25. A contentless FTS5 table does not subtract deleted rows. */
interface TextStatistics {
  readonly rows: number;
  readonly words: readonly number[];
}

/** Block in which FTS5 stores the counts as varints. */
const STATISTICS_BLOCK = 1;
const ROWS_PER_SLICE = 5000;

export async function discountRows(
  tx: Tx,
  kind: IndexedKind,
  numbers: readonly number[],
): Promise<void> {
  const sizes = await tx.all<SizeRow>(
    sql`select id, sz from ${getSizes(kind)} where id in (${numberSet(numbers)})`,
  );
  if (sizes.length === 0) return;
  // FTS5 flushes its pending counts when a savepoint begins.
  await inSavepoint(tx, async () => {
    const { rows, words } = await loadStoredStatistics(tx, kind);
    const removals = sumSizes(sizes);
    await storeStatistics(tx, kind, {
      rows: Math.max(0, rows - removals.rows),
      words: words.map((count, column) => Math.max(0, count - (removals.words[column] ?? 0))),
    });
  });
}

/** Returns whether the row count is correct; earlier versions counted too many. */
export async function isCounted(tx: Tx, kind: IndexedKind): Promise<boolean> {
  const [row] = await tx.all<{ rows: number }>(sql`select count(*) as rows from ${getSizes(kind)}`);
  return (await loadStoredStatistics(tx, kind)).rows === row?.rows;
}

export async function recountStatistics(tx: Tx, kind: IndexedKind): Promise<void> {
  const counted = await countStatistics(tx, kind);
  await inSavepoint(tx, () => storeStatistics(tx, kind, counted));
}

export async function findWrongStatistics(tx: Tx, kind: IndexedKind): Promise<readonly Problem[]> {
  const [stored, counted] = [await loadStoredStatistics(tx, kind), await countStatistics(tx, kind)];
  const isRight =
    stored.rows === counted.rows &&
    counted.words.every((count, column) => count === (stored.words[column] ?? 0));
  return isRight
    ? []
    : createProblem(`The text index counts ${kind}s that were removed.`, [`${kind}_text`]);
}

interface SizeRow {
  readonly id: number;
  readonly sz: Buffer;
}

async function countStatistics(tx: Tx, kind: IndexedKind): Promise<TextStatistics> {
  let total: TextStatistics = { rows: 0, words: [] };
  for (let last: number | undefined; ; ) {
    const after = last === undefined ? sql`` : sql`where id > ${last}`;
    const sizes = await tx.all<SizeRow>(
      sql`select id, sz from ${getSizes(kind)} ${after} order by id limit ${ROWS_PER_SLICE}`,
    );
    total = addStatistics(total, sumSizes(sizes));
    last = sizes.at(-1)?.id;
    if (sizes.length < ROWS_PER_SLICE) return total;
  }
}

function sumSizes(sizes: readonly SizeRow[]): TextStatistics {
  return sizes.reduce<TextStatistics>(
    (total, { sz }) => addStatistics(total, { rows: 1, words: decodeVarints(sz) }),
    { rows: 0, words: [] },
  );
}

function addStatistics(a: TextStatistics, b: TextStatistics): TextStatistics {
  const [longer, shorter] =
    a.words.length < b.words.length ? [b.words, a.words] : [a.words, b.words];
  return {
    rows: a.rows + b.rows,
    words: longer.map((count, column) => count + (shorter[column] ?? 0)),
  };
}

async function loadStoredStatistics(tx: Tx, kind: IndexedKind): Promise<TextStatistics> {
  const [row] = await tx.all<{ block: Buffer }>(
    sql`select block from ${getBlocks(kind)} where id = ${STATISTICS_BLOCK}`,
  );
  const [rows = 0, ...words] = row === undefined ? [] : decodeVarints(row.block);
  return { rows, words };
}

async function storeStatistics(
  tx: Tx,
  kind: IndexedKind,
  { rows, words }: TextStatistics,
): Promise<void> {
  const block = Buffer.from([rows, ...words].flatMap(encodeVarint));
  await withShadowTables(tx, async () => {
    await tx.run(
      sql`update ${getBlocks(kind)} set block = ${block} where id = ${STATISTICS_BLOCK}`,
    );
  });
}

const getSizes = (kind: IndexedKind) => sql.identifier(`${kind}_text_docsize`);
const getBlocks = (kind: IndexedKind) => sql.identifier(`${kind}_text_data`);

/** Decodes SQLite varints: seven bits per byte, highest first; the eighth bit means more follow. */
function decodeVarints(bytes: Buffer): number[] {
  const numbers: number[] = [];
  let number = 0;
  for (const byte of bytes) {
    number = number * 128 + (byte & 127);
    if (byte >= 128) continue;
    numbers.push(number);
    number = 0;
  }
  return numbers;
}

/** Encodes numbers below nine bytes; larger ones (72 057 594 billion) do not occur. */
function encodeVarint(number: number): number[] {
  const bytes = [number % 128];
  for (let rest = Math.floor(number / 128); rest > 0; rest = Math.floor(rest / 128)) {
    bytes.unshift((rest % 128) + 128);
  }
  return bytes;
}
