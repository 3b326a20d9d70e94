import { expect, it } from "vitest";
import type { Embedder } from "../../../src/embedding/index.ts";
import { cacheQueryEmbeddings } from "../../../src/memory/memory-store.ts";

function counting(): Embedder & { readonly asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    identity: "counting:1",
    batchSize: 1,
    async embed(texts, { signal } = {}) {
      signal?.throwIfAborted();
      asked.push(...texts);
      return texts.map((text) => Float32Array.of(text.length));
    },
    close: async () => undefined,
  };
}

const QUERY = { role: "query" } as const;

it("embeds a query once, even if a caller modifies the vector", async () => {
  const inner = counting();
  const once = cacheQueryEmbeddings(inner);
  const [first] = await once.embed(["release"], QUERY);
  first?.fill(0);
  expect(await once.embed(["release"], QUERY)).toEqual([Float32Array.of(7)]);
  expect(inner.asked).toEqual(["release"]);
});

it("embeds passages, aborted queries and old queries again", async () => {
  const inner = counting();
  const once = cacheQueryEmbeddings(inner);
  await once.embed(["release"]);
  await once.embed(["release"]);
  const gone = AbortSignal.abort(new Error("gone"));
  await expect(once.embed(["release"], { ...QUERY, signal: gone })).rejects.toThrow("gone");
  for (const text of ["release", "a", "b", "c", "d", "e", "f", "g", "h", "release"])
    await once.embed([text], QUERY);
  expect(inner.asked.filter((text) => text === "release")).toHaveLength(4);
});

it("embeds a query once for concurrent callers unless the first one aborts", async () => {
  const inner = counting();
  const once = cacheQueryEmbeddings(inner);
  const all = await Promise.all([1, 2, 3].map(() => once.embed(["release"], QUERY)));
  expect(all).toEqual([1, 2, 3].map(() => [Float32Array.of(7)]));
  expect(inner.asked).toEqual(["release"]);
  const gone = AbortSignal.abort(new Error("gone"));
  const [broken, done] = await Promise.allSettled([
    once.embed(["review"], { ...QUERY, signal: gone }),
    once.embed(["review"], QUERY),
  ]);
  expect(broken).toMatchObject({ status: "rejected" });
  expect(done).toMatchObject({ status: "fulfilled", value: [Float32Array.of(6)] });
});
