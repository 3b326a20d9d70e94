import { expect, it } from "vitest";
import type { Embedder } from "../../../src/embedding/index.ts";
import { embedQueriesOnce } from "../../../src/memory/search/embed-queries-once.ts";

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

it("reads a question once, whoever changes the vector that they got", async () => {
  const inner = counting();
  const once = embedQueriesOnce(inner);
  const [first] = await once.embed(["release"], QUERY);
  first?.fill(0);
  expect(await once.embed(["release"], QUERY)).toEqual([Float32Array.of(7)]);
  expect(inner.asked).toEqual(["release"]);
});

it("reads anew what is stored, what was broken off and what is asked long after", async () => {
  const inner = counting();
  const once = embedQueriesOnce(inner);
  await once.embed(["release"]);
  await once.embed(["release"]);
  const gone = AbortSignal.abort(new Error("gone"));
  await expect(once.embed(["release"], { ...QUERY, signal: gone })).rejects.toThrow("gone");
  for (const text of ["release", "a", "b", "c", "d", "e", "f", "g", "h", "release"])
    await once.embed([text], QUERY);
  expect(inner.asked.filter((text) => text === "release")).toHaveLength(4);
});
