import { afterAll, describe, expect, it } from "vitest";
import { cosine, normalise } from "../../src/embedding/embedder.ts";
import { createEmbedder, embeddingSettings } from "../../src/embedding/index.ts";
import { readInContext } from "../../src/embedding/onnx/load-model.ts";
import { MAX_WINDOWS } from "../../src/embedding/windows.ts";

const embedder = createEmbedder(embeddingSettings.parse({}));
afterAll(() => embedder?.close());

async function read(text: string, before = "") {
  const [reading] = (await embedder?.read?.([{ text, before }])) ?? [];
  if (reading === undefined) throw new Error("the embedded model tells no tokens");
  return reading;
}

describe("a text that is read", () => {
  it("has the vector of its embedding, and one per token", async () => {
    const [embedded] = (await embedder?.embed(["Deploys are frozen."])) ?? [];
    const { vector, tokens } = await read("Deploys are frozen.");
    expect(vector).toEqual(embedded);
    expect(tokens.map(({ text }) => text)).toEqual(["deploy", "##s", "are", "frozen", "."]);
    for (const token of tokens) expect(token.vector.length).toBe(384);
  });

  it("depends on the preceding text", async () => {
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

  it("does not delay a later short text", async () => {
    const finished: string[] = [];
    const readings = [
      read("The password rotates every ninety days. ".repeat(200)).then(() =>
        finished.push("long"),
      ),
      read("Deploys are frozen.").then(() => finished.push("short")),
    ];
    await Promise.all(readings);
    expect(finished).toEqual(["short", "long"]);
  });
});

it("pairs tokens with their words although only a sample of the windows is read", async () => {
  const words = Array.from({ length: 4 * MAX_WINDOWS }, (_, index) => `w${index}`);
  const model = {
    contentTokens: 2,
    readsContext: false,
    tokenize: (text: string) => text.split(" ").map((word, id) => ({ id, text: word })),
    run: (ids: readonly number[]) => ({
      vector: new Float32Array([1]),
      tokens: ids.map((id) => new Float32Array([id])),
    }),
  };
  const { tokens } = await readInContext(
    model,
    { text: words.join(" "), before: "" },
    { role: "query", signal: undefined },
  );
  expect(tokens).toHaveLength(2 * MAX_WINDOWS);
  for (const { text, vector } of tokens) expect(text).toBe(`w${vector[0]}`);
});
