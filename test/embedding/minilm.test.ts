import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { cosine } from "../../src/embedding/embedder.ts";
import { createEmbedder, embeddingSettings, measureBackground } from "../../src/embedding/index.ts";
import { findModelFolder } from "../../src/embedding/minilm/find-model-folder.ts";

const embedder = createEmbedder(embeddingSettings.parse({}));
if (embedder === null) throw new Error("the default provider makes no vectors");
afterAll(() => embedder.close());

describe("the bundled model", () => {
  it("is the file that its checksums name", () => {
    const folder = findModelFolder();
    const sums = readFileSync(join(folder, "SHA256SUMS"), "utf8").trim().split("\n");
    for (const line of sums) {
      const [sum, name] = line.split("  ") as [string, string];
      const actual = createHash("sha256")
        .update(readFileSync(join(folder, name)))
        .digest("hex");
      expect(actual, name).toBe(sum);
    }
  });

  it("computes the vectors of its identity", async () => {
    expect(embedder.identity).toBe("minilm-l6-v2-u8:2b357389cc1e");
    const recorded = JSON.parse(
      readFileSync(new URL("recorded-vectors.json", import.meta.url), "utf8"),
    ) as { text: string; vector: string }[];
    for (const { text, vector } of recorded) {
      const [actual] = await embedder.embed([text]);
      const bytes = Uint8Array.from(Buffer.from(vector, "base64"));
      const expected = new Float32Array(bytes.buffer);
      // Processors without VNNI add 8-bit products with saturation; measured similarity is 0.981
      // to 0.996.
      expect(cosine(expected, actual ?? new Float32Array()), text.slice(0, 40)).toBeGreaterThan(
        0.97,
      );
    }
  });

  it("ranks a paraphrase above another subject, with unit vectors", async () => {
    const [a, b, c] = await vectorsOf([
      "The cache keeps an entry for ten minutes.",
      "Entries expire from the cache after 600 seconds.",
      "Maria painted the sunrise over the lake.",
    ]);
    expect(a.length).toBe(384);
    for (const vector of [a, b, c]) expect(cosine(vector, vector)).toBeCloseTo(1, 5);
    expect(cosine(a, b)).toBeGreaterThan(0.6);
    expect(cosine(a, c)).toBeLessThan(0.3);
  });

  it("computes the same vector in any batch", async () => {
    const text = "Retries use exponential backoff.";
    const [alone] = await vectorsOf([text]);
    const [, beside] = await vectorsOf(["A much longer neighbour. ".repeat(20), text]);
    expect(beside).toEqual(alone);
  });

  it("reads a long text to its end", async () => {
    const filler = "The weather report was read out again and again. ".repeat(60);
    const [withEnd, without, query] = await vectorsOf([
      `${filler}${"The database password rotates every ninety days. ".repeat(20)}`,
      filler,
      "How often does the database password rotate?",
    ]);
    expect(cosine(withEnd, query)).toBeGreaterThan(cosine(without, query) + 0.1);
  });

  it("accepts empty text, lone surrogates and other scripts", async () => {
    for (const vector of await vectorsOf(["", "\ud800", "東京タワー", "\u0000"])) {
      expect(cosine(vector, vector)).toBeCloseTo(1, 5);
    }
  });

  it("has a noise level above unrelated sentences", async () => {
    const { mean, noise } = await measureBackground(embedder);
    expect(mean).toBeGreaterThan(0);
    expect(mean).toBeLessThan(0.1);
    expect(noise).toBeGreaterThan(0.1);
    expect(noise).toBeLessThan(0.35);
  });

  it("stops between texts when the signal aborts", async () => {
    const controller = new AbortController();
    const running = embedder.embed(new Array(200).fill("a text to embed"), {
      signal: controller.signal,
    });
    controller.abort(new Error("enough"));
    await expect(running).rejects.toThrow("enough");
  });

  it("loads again after it was closed", async () => {
    await embedder.close();
    const [vector] = await vectorsOf(["once more"]);
    expect(vector.length).toBe(384);
  });

  it("is not found without a folder above that contains it", () => {
    expect(() => findModelFolder(mkdtempSync(join(tmpdir(), "cairn-")))).toThrow("minilm-l6-v2");
  });
});

type Triple = [Float32Array, Float32Array, Float32Array];

async function vectorsOf(texts: string[]): Promise<Triple> {
  return (await embedder?.embed(texts)) as Triple;
}
