import { sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import type { Database, Tx } from "../../../src/database/index.ts";
import { signBits } from "../../../src/embedding/index.ts";
import { computeCosine } from "../../../src/memory/search/stored-vector.ts";
import {
  encodeVector,
  getVectorIndex,
  putVector,
  removeVectors,
  loadVector as storedVectorOf,
} from "../../../src/memory/search/vector-index.ts";
import type { VectorCoverage } from "../../../src/memory/search/vector-query.ts";
import {
  describeOnEveryEngine,
  openEmptyDatabase,
  openEmptyPostgres,
} from "../../support/describe-on-every-engine.ts";
import { describeOnPostgres } from "../../support/postgres/test-database.ts";

const DIMENSIONS = 64;

function vectorOf(seed: number): Float32Array {
  let state = seed + 1;
  const raw = Float32Array.from({ length: DIMENSIONS }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32 - 0.5;
  });
  const length = Math.hypot(...raw);
  return raw.map((value) => value / length);
}

const dot = (a: Float32Array, b: Float32Array) =>
  a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0);

async function stored(tx: Tx, number: number): Promise<Int8Array> {
  const found = await storedVectorOf(tx, { kind: "episode", number });
  return found ?? expect.fail(`episode ${number} has no vector`);
}

async function fill(database: Database, count: number): Promise<void> {
  await database.write(async (tx) => {
    await getVectorIndex(tx).create(tx, DIMENSIONS);
    for (let number = 1; number <= count; number += 1) {
      await putVector(
        tx,
        { kind: "episode", number },
        { vector: vectorOf(number), tokens: undefined },
      );
    }
  });
}

describeOnEveryEngine("the vector index", (open) => {
  it("finds the item itself by its own vector", async () => {
    await using empty = open();
    const { database } = empty;
    await fill(database, 401);
    await database.read(async (tx) => {
      for (const number of [1, 16, 17, 150, 401]) {
        const found = await getVectorIndex(tx).nearest(tx, { vector: vectorOf(number) });
        const near = found.episode;
        expect(found.concept).toEqual([]);
        expect(near).toContain(number);
        expect(new Set(near).size).toBe(near.length);
        expect(near.length).toBeLessThanOrEqual(128);
      }
    });
  });

  it("returns more candidates for restricted searches", async () => {
    await using empty = open();
    const { database } = empty;
    await fill(database, 401);
    await database.read(async (tx) => {
      const near = await getVectorIndex(tx).nearest(tx, { vector: vectorOf(7), ofAPart: true });
      expect(near.episode).toHaveLength(256);
    });
  });

  it("returns all items of a small index", async () => {
    await using empty = open();
    const { database } = empty;
    await fill(database, 400);
    const near = await database.read((tx) =>
      getVectorIndex(tx).nearest(tx, { vector: vectorOf(7) }),
    );
    expect(near.episode).toHaveLength(400);
  });

  it("measures cosines to within 0.005", async () => {
    await using empty = open();
    const { database } = empty;
    await fill(database, 50);
    await database.read(async (tx) => {
      const query = vectorOf(1000);
      for (let number = 1; number <= 50; number += 1) {
        const cosine = computeCosine(query, await stored(tx, number));
        expect(Math.abs(cosine - dot(query, vectorOf(number)))).toBeLessThan(0.005);
      }
    });
  });

  it("replaces and deletes an item's vector", async () => {
    await using empty = open();
    const { database } = empty;
    await fill(database, 5);
    await database.write(async (tx) => {
      await putVector(
        tx,
        { kind: "episode", number: 2 },
        { vector: vectorOf(77), tokens: undefined },
      );
      const item = { kind: "episode", number: 2 } as const;
      expect(computeCosine(vectorOf(77), await stored(tx, 2))).toBeCloseTo(1, 2);
      await removeVectors(tx, "episode", [2]);
      await removeVectors(tx, "episode", [2]);
      expect(
        (await getVectorIndex(tx).nearest(tx, { vector: vectorOf(77) })).episode,
      ).not.toContain(2);
      expect(await storedVectorOf(tx, item)).toBeUndefined();
    });
  });
});

describeOnEveryEngine("the check of the vector index", (open) => {
  it("reports missing, stray and differing sign bits with their items", async () => {
    await using empty = open();
    await fill(empty.database, 30);
    await empty.database.write(async (tx) => {
      const index = getVectorIndex(tx);
      const find = () => index.findProblems(tx, "episode");
      expect(await index.exists(tx)).toBe(true);
      expect(await find()).toEqual([]);
      expect(await index.isBlind(tx, "episode")).toBe(false);
      await index.remove(tx, "episode", [3, 4]);
      await index.add(tx, { kind: "episode", number: 4 }, vectorOf(5000));
      await index.add(tx, { kind: "episode", number: 99 }, vectorOf(99));
      expect((await find()).map(({ count }) => count)).toEqual([1, 1, 1]);
      expect((await index.differing(tx, "episode")).sort((a, b) => a - b)).toEqual([3, 4, 99]);
      await index.drop(tx);
      expect(await index.exists(tx)).toBe(!index.isOfOneLength);
    });
  });
});

it("reports a search by signs that misses the nearest vector", async () => {
  await using empty = openEmptyDatabase("sqlite");
  await fill(empty.database, 600);
  await empty.database.write(async (tx) => {
    const index = getVectorIndex(tx);
    expect(await index.isBlind(tx, "episode")).toBe(false);
    await index.remove(tx, "episode", [599, 600]);
    expect(await index.isBlind(tx, "episode")).toBe(true);
  });
});

describeOnPostgres("the vector index of PostgreSQL", () => {
  it.each([true, false])(
    "finds exactly the nearest vectors, with pgvector: %s",
    async (vectors) => {
      await using empty = openEmptyPostgres({ vectors });
      const { database } = empty;
      await fill(database, 600);
      const query = vectorOf(7777);
      const nearest = Array.from({ length: 600 }, (_, index) => index + 1)
        .map((number) => ({ number, distance: differingSigns(query, vectorOf(number)) }))
        .sort((a, b) => a.distance - b.distance);
      const found = await database.read((tx) => getVectorIndex(tx).nearest(tx, { vector: query }));
      const farthest = nearest[127]?.distance ?? 0;
      expect(found.episode).toHaveLength(128);
      const closer = nearest.filter(({ distance }) => distance < farthest);
      expect(found.episode).toEqual(expect.arrayContaining(closer.map(({ number }) => number)));
    },
  );

  it.each([
    [true, undefined],
    [false, { message: expect.stringContaining("Install it on the server") }],
  ])("says that pgvector is missing only once it is: there is one: %s", async (vectors, told) => {
    await using empty = openEmptyPostgres({ vectors });
    const { database } = empty;
    await database.write(async (tx) => {
      await tx.run(sql`drop extension if exists vector`);
    });
    const shortcoming = () => database.read((tx) => getVectorIndex(tx).shortcoming(tx));
    expect(await shortcoming()).toBe("not known yet");
    await fill(database, 1);
    expect(await shortcoming()).toEqual(told);
  });

  it("builds a neighbor graph beyond 20 000 vectors, concurrently with other work", {
    tags: ["long"],
  }, async () => {
    await using empty = openEmptyPostgres();
    const { database } = empty;
    await fill(database, 1);
    const refinements = () => database.read((tx) => getVectorIndex(tx).refinements(tx));
    expect(await refinements()).toEqual([]);
    const random = sql`(select string_agg((random() < 0.5)::int::text, '') from generate_series(1, ${DIMENSIONS} + 0 * number))::bit(64)`;
    await database.write(async (tx) => {
      await tx.run(
        sql`insert into vector_signs_episode(number, bits) select number, ${random} from generate_series(2, 20001) number`,
      );
      await tx.run(
        sql`insert into vectors(kind, item_id, vector) select 'episode', number, '' from vector_signs_episode where number > 1`,
      );
    });
    const statements = await refinements();
    expect(statements.at(-1)).toContain("using hnsw");
    await database.refine(statements);
    expect(await refinements()).toEqual([]);
    const found = await database.read((tx) =>
      getVectorIndex(tx).nearest(tx, { vector: vectorOf(1) }),
    );
    expect(found.episode).toHaveLength(128);
    expect(found.episode).toContain(1);
    const again = await database.read(async (tx) => {
      const standing = await getVectorIndex(tx).loadCoverage?.(tx, ["episode", "concept"]);
      const nearest = await getVectorIndex(tx).nearest(tx, {
        vector: vectorOf(1),
        coverage: standing,
      });
      return { standing, nearest };
    });
    expect(again).toEqual({ standing: { graph: true, many: ["episode"] }, nearest: found });
  });

  it("returns the same result with a prefetched vector count", async () => {
    await using empty = openEmptyPostgres();
    const { database } = empty;
    await fill(database, 450);
    const nearest = (standing?: VectorCoverage) =>
      database.read((tx) =>
        getVectorIndex(tx).nearest(tx, { vector: vectorOf(1), coverage: standing }),
      );
    const distancesOf = (numbers: readonly number[]) =>
      numbers.map((number) => differingSigns(vectorOf(number), vectorOf(1))).toSorted();
    const found = await nearest();
    expect(found.episode).toHaveLength(128);
    for (const standing of [
      { graph: true, many: ["episode"] },
      { graph: false, many: ["episode"] },
      { graph: false, many: [] },
    ] as const) {
      const known = await nearest(standing);
      expect(distancesOf(known.episode)).toEqual(distancesOf(found.episode));
    }
  });

  it("is written concurrently with an open write", async () => {
    await using empty = openEmptyPostgres();
    const { database } = empty;
    await fill(database, 3);
    await database.write(async () => {
      await database.writeDerived((tx) => removeVectors(tx, "episode", [2]));
    });
    const left = await database.read((tx) =>
      getVectorIndex(tx).nearest(tx, { vector: vectorOf(1) }),
    );
    expect(left.episode.sort()).toEqual([1, 3]);
  });
});

function differingSigns(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, index) => sum + (value > 0 === (b[index] ?? 0) > 0 ? 0 : 1), 0);
}

describe("the forms of a vector", () => {
  it("have the length of its dimensions, also for a zero vector", () => {
    expect(encodeVector(new Float32Array(10))).toEqual(Buffer.alloc(10));
    expect(signBits(Float32Array.from([1, -1, 0, 1, 0, 0, 0, 0, 1]))).toEqual(Buffer.from([9, 1]));
  });
});
