import { afterAll, describe, expect, it } from "vitest";
import { cosine, normalise } from "../../src/embedding/embedder.ts";
import { createEmbedder, embeddingSettings } from "../../src/embedding/index.ts";

const embedder = createEmbedder(embeddingSettings.parse({}));
afterAll(() => embedder?.close());

async function read(text: string, before = "") {
  const [reading] = (await embedder?.read?.([{ text, before }])) ?? [];
  if (reading === undefined) throw new Error("the embedded model tells no tokens");
  return reading;
}

describe("a text that is read", () => {
  it("has the vector that it is embedded as, and a vector for each of its tokens", async () => {
    const [embedded] = (await embedder?.embed(["Deploys are frozen."])) ?? [];
    const { vector, tokens } = await read("Deploys are frozen.");
    expect(vector).toEqual(embedded);
    expect(tokens.map(({ text }) => text)).toEqual(["deploy", "##s", "are", "frozen", "."]);
    for (const token of tokens) expect(token.vector.length).toBe(384);
  });

  it("takes meaning from what precedes it", async () => {
    const [question] = (await embedder?.embed(["When does the museum open?"])) ?? [];
    const alone = await read("At nine, I think.");
    const after = await read(
      "At nine, I think.",
      "Do you know when the museum opens in the morning?",
    );
    expect(after.tokens.length).toBe(alone.tokens.length);
    const likeness = (vector: Float32Array) => cosine(vector, question ?? new Float32Array());
    expect(likeness(after.vector)).toBeGreaterThan(likeness(alone.vector) + 0.2);
  });

  it("hears only the end of a long talk", async () => {
    const end = "The museum opens at nine. ".repeat(20);
    const short = await read("Thanks!", end);
    const long = await read("Thanks!", `${"We bred goats in the hills. ".repeat(200)}${end}`);
    expect(long.vector).toEqual(short.vector);
  });

  it("is read alone and to its end when it fills several windows", async () => {
    const long = "The password rotates every ninety days. ".repeat(60);
    const alone = await read(long);
    expect(await read(long, "Something else.")).toEqual(alone);
    expect(alone.tokens.length).toBeGreaterThan(400);
    expect(Math.hypot(...normalise(alone.vector))).toBeCloseTo(1, 5);
  });
});
