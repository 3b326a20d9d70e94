import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { cosine } from "../../src/embedding/embedder.ts";
import { findModelFolder } from "../../src/embedding/minilm/find-model-folder.ts";
import { loadModel } from "../../src/embedding/onnx/load-model.ts";
import { readModelFolder } from "../../src/embedding/onnx/model-folder.ts";
import { makeWeightsUnsigned } from "../../src/embedding/onnx/unsigned-weights.ts";

const shippedModel = () => readFileSync(join(findModelFolder(), "model.onnx"));

it("computes the recorded vectors with uint8 weights on every processor", async () => {
  const path = mkdtempSync(join(tmpdir(), "cairn-unsigned-"));
  onTestFinished(() => rmSync(path, { recursive: true }));
  cpSync(findModelFolder(), path, { recursive: true });
  const model = shippedModel();
  makeWeightsUnsigned(model);
  writeFileSync(join(path, "model.onnx"), model);
  const { tokenize, run } = await loadModel(readModelFolder(path));
  const recorded = JSON.parse(
    readFileSync(new URL("recorded-vectors.json", import.meta.url), "utf8"),
  ) as { text: string; vector: string }[];
  for (const { text, vector } of recorded) {
    const ids = tokenize(text).map(({ id }) => id);
    const expected = new Float32Array(Uint8Array.from(Buffer.from(vector, "base64")).buffer);
    expect(cosine(expected, run(ids, "passage").vector), text).toBeGreaterThan(0.995);
  }
});

it("leaves a model without int8 tensors unchanged", () => {
  const model = shippedModel();
  makeWeightsUnsigned(model);
  const once = Buffer.from(model);
  makeWeightsUnsigned(model);
  expect(model.equals(once)).toBe(true);
  expect(model.equals(shippedModel())).toBe(false);
});

it("rejects a truncated model", () => {
  const model = shippedModel();
  // The graph is one field, whose length exceeds the rest of the file.
  expect(() => makeWeightsUnsigned(model.subarray(0, 1_000_000))).toThrow(/truncated/);
});
