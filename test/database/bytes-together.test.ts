import { sql } from "drizzle-orm";
import { expect, it } from "vitest";
import {
  concatenatedBytes,
  type Database,
  listOfValues,
  numbersParameter,
  ORDERED_JOIN,
  rowQuery,
  rowsAsJson,
} from "../../src/database/index.ts";
import { vectors } from "../../src/memory/search/search.table.ts";
import { describeOnEveryEngine } from "../support/describe-on-every-engine.ts";

const EVERY_BYTE = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
/** Values with NUL bytes, and values that are not valid UTF-8. */
const STORED = [
  Buffer.of(0, 0, 1),
  EVERY_BYTE,
  Buffer.of(0xc3),
  Buffer.of(0xa4, 0),
  Buffer.of(0xff, 0xfe, 0x80),
];

type Gathered = [rows: string, bytes: Buffer | null];

const gathered = rowQuery<Gathered>(
  () => sql`select ${rowsAsJson(sql`length(vectors.tokens), vectors.item_id`)}, ${concatenatedBytes(sql`vectors.tokens`)}
    from (${numbersParameter("numbers")}) wanted
    ${ORDERED_JOIN} vectors on vectors.kind = 'episode' and vectors.item_id = wanted.value`,
);

async function fill(database: Database): Promise<void> {
  await database.write(async (tx) => {
    const rows = [...STORED, null].map((tokens, index) => ({
      kind: "episode" as const,
      itemId: index + 1,
      vector: Buffer.of(1),
      tokens,
    }));
    await tx.insert(vectors).values(rows);
  });
}

async function read(database: Database, numbers: readonly number[]) {
  const [row] = await database.read((tx) => gathered(tx, { numbers: listOfValues(numbers) }));
  const [rows, bytes] = row ?? ["[]", null];
  return { rows: JSON.parse(rows) as [length: number | null, number: number][], bytes };
}

describeOnEveryEngine("the bytes of many rows", (open) => {
  it("are concatenated in row order", async () => {
    await using empty = open();
    await fill(empty.database);
    const { rows, bytes } = await read(empty.database, [5, 1, 6, 2, 4, 3]);
    expect(rows).toHaveLength(6);
    let at = 0;
    for (const [length, number] of rows) {
      const stored = STORED[number - 1];
      expect(length).toBe(stored?.length ?? null);
      expect(bytes?.subarray(at, at + (length ?? 0))).toEqual(stored ?? Buffer.of());
      at += length ?? 0;
    }
    expect(bytes).toHaveLength(at);
  });

  it("are null without values or rows", async () => {
    await using empty = open();
    await fill(empty.database);
    expect(await read(empty.database, [6])).toEqual({ rows: [[null, 6]], bytes: null });
    expect(await read(empty.database, [99])).toEqual({ rows: [], bytes: null });
  });
});
