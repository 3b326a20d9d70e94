import { describe, expect, it } from "vitest";
import { SqliteDatabase, type Tx } from "../../../../src/database/index.ts";
import {
  computeHammingDistances,
  findNearestSigns,
} from "../../../../src/memory/search/sqlite/hamming-distances.ts";
import {
  getVectorIndex,
  putVector,
  removeVectors,
} from "../../../../src/memory/search/vector-index.ts";

const DIMENSIONS = 72;
const OF_A_CHUNK = 128;
const numberAt = (index: number) => index + 1;

function vectorOf(seed: number): Float32Array {
  let state = seed + 1;
  return Float32Array.from({ length: DIMENSIONS }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return (state >>> 8) / 2 ** 24 - 0.5;
  });
}

async function put(tx: Tx, number: number, vector: Float32Array): Promise<void> {
  await putVector(tx, { kind: "episode", number }, { vector, tokens: undefined });
}

const nearest = (database: SqliteDatabase, vector: Float32Array) =>
  database.read(async (tx) => (await getVectorIndex(tx).nearest(tx, { vector })).episode);

async function fiveChunks(): Promise<SqliteDatabase> {
  const database = new SqliteDatabase({ path: ":memory:" });
  await database.write(async (tx) => {
    await getVectorIndex(tx).create(tx, DIMENSIONS);
    for (let index = 0; index < 4 * OF_A_CHUNK + 20; index += 1) {
      await put(tx, numberAt(index), vectorOf(index));
    }
  });
  return database;
}

describe("the sign bits cached in memory", () => {
  it("follow inserts, updates and deletes in the first and last chunk", async () => {
    const database = await fiveChunks();
    for (const index of [3, 4 * OF_A_CHUNK + 3]) {
      const number = numberAt(index);
      expect(await nearest(database, vectorOf(index))).toContain(number);

      const opposite = vectorOf(index).map((value) => -value);
      await database.write((tx) => put(tx, number, opposite));
      expect(await nearest(database, opposite)).toContain(number);
      expect(await nearest(database, vectorOf(index))).not.toContain(number);

      await database.write((tx) => removeVectors(tx, "episode", [number]));
      expect(await nearest(database, opposite)).not.toContain(number);
    }
    await database.close();
  });

  it("exclude rolled-back writes and include later ones", async () => {
    const database = await fiveChunks();
    const number = numberAt(2_000);
    const failing = database.write(async (tx) => {
      await put(tx, number, vectorOf(5_000));
      expect((await getVectorIndex(tx).nearest(tx, { vector: vectorOf(5_000) })).episode).toContain(
        number,
      );
      throw new Error("taken back");
    });
    await expect(failing).rejects.toThrow("taken back");
    expect(await nearest(database, vectorOf(5_000))).not.toContain(number);
    await database.write((tx) => put(tx, number, vectorOf(6_000)));
    expect(await nearest(database, vectorOf(6_000))).toContain(number);
    await database.close();
  });
});

describe("the nearest sign bits", () => {
  it("have the smallest Hamming distances, also for numbers beyond 32 bits", () => {
    const words = 4;
    const size = 64;
    let state = 7;
    const signs = Uint32Array.from({ length: size * words }, () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return state;
    });
    const places = Uint8Array.from({ length: size }, (_, at) => at);
    const query = signs.slice(9 * words, 10 * words);
    const found = findNearestSigns([{ first: 2 ** 32, places, signBits: signs }], {
      signBits: query,
      compare: computeHammingDistances(words),
      limit: 5,
      few: 0,
      lookAtTime: () => undefined,
    });

    const distanceOf = (position: number) =>
      Array.from(query, (word, index) =>
        (((signs[position * words + index] ?? 0) ^ word) >>> 0).toString(2).replaceAll("0", ""),
      ).join("").length;
    const expected = [...places].sort((a, b) => distanceOf(a) - distanceOf(b)).slice(0, 5);
    const farthest = Math.max(...expected.map(distanceOf));
    expect(found).toHaveLength(5);
    expect(found).toContain(2 ** 32 + 9);
    for (const number of found) expect(distanceOf(number - 2 ** 32)).toBeLessThanOrEqual(farthest);
  });
});
