import { describe, expect, it } from "vitest";
import { computeCertainty } from "../../../src/memory/recall/certainty.ts";
import type { QueryDirection } from "../../../src/memory/recall/prepare-recall.ts";
import { NO_ACTIVATION } from "../../../src/memory/recall/rank.ts";
import { TokenQuery } from "../../../src/memory/search/query-vectors.ts";
import { createTestMemory } from "../../support/test-memory.ts";
import { createWordEmbedder } from "../../support/word-embedder.ts";

const VECTOR: QueryDirection = {
  direction: Float32Array.of(1),
  background: { mean: 0, noise: 0.2 },
  contextual: true,
  tokens: undefined,
};
const WHOLE = { vector: VECTOR, missingVectors: 0, time: undefined };
const match = { ...NO_ACTIVATION, cosine: 0.3 };

describe("certainty", () => {
  it("rises with the best match's similarity and preserves the order", () => {
    const certainties = [0, 0.5, 0.7, 0.8, 1].map((vector) =>
      computeCertainty([match, { ...match, vector }], WHOLE),
    );
    expect(certainties).toEqual(certainties.toSorted((a, b) => a - b));
    expect(certainties[0]).toBe(0.25);
    expect(certainties.at(-1)).toBe(1);
    const tokens = {
      query: new TokenQuery({ vector: Float32Array.of(1), tokens: [] }),
      background: { mean: 0, noise: 0.2 },
    };
    const byTokens = { ...WHOLE, vector: { ...VECTOR, tokens } };
    expect(computeCertainty([{ ...match, tokens: 1.75 }], byTokens)).toBe(1);
    expect(computeCertainty([{ ...match, tokens: 0.5 }], byTokens)).toBe(0.25);
  });

  it("is 1 if the query names an entity or similarity was not fully measured", () => {
    expect(computeCertainty([{ ...match, entity: 1 }], WHOLE)).toBe(1);
    expect(computeCertainty([match], { ...WHOLE, vector: undefined })).toBe(1);
    expect(computeCertainty([match], { ...WHOLE, missingVectors: 3 })).toBe(1);
    expect(computeCertainty([NO_ACTIVATION], WHOLE)).toBe(1);
  });
});

it("scores an item low that shares only a common word with the query", async () => {
  await using t = createTestMemory({ embedder: createWordEmbedder() });
  await t.apply(
    'remember "The museum opens at nine on weekdays"',
    'remember "Deploys are frozen from Friday noon"',
  );
  const unknown = "When does the volcano erupt again, on weekdays or at night?";
  const known = await t.call("recall", { query: "museum opens weekdays nine", explain: true });
  const response = await t.call("recall", { query: unknown, explain: true });
  expect(known.explain?.certainty).toBe(1);
  expect(response.explain?.certainty).toBeLessThan(1);
  expect(response.episodes[0]?.score ?? 1).toBeLessThan(known.episodes[0]?.score ?? 0);
  expect(response.episodes).toHaveLength(1);
});
