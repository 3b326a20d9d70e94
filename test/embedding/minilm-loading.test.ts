import { execFileSync } from "node:child_process";
import { afterEach, expect, test, vi } from "vitest";
import { createEmbedder, embeddingSettings } from "../../src/embedding/index.ts";

afterEach(() => vi.doUnmock("onnxruntime-node"));

test("without its runtime the embedded model is unavailable and names the package and the setting", async () => {
  vi.doMock("onnxruntime-node", () => {
    throw new Error("Cannot find package 'onnxruntime-node'");
  });
  const embedder = createEmbedder(embeddingSettings.parse({}));
  await expect(embedder?.embed(["a"])).rejects.toMatchObject({
    code: "unavailable",
    message: expect.stringMatching(/npm install onnxruntime-node.*embedding\.provider/),
  });
  await expect(embedder?.close()).resolves.toBeUndefined();
});

test("importing the module and creating the embedder loads no runtime", () => {
  const script = `
    import { createEmbedder, embeddingSettings } from "./src/embedding/index.ts";
    import { createRequire } from "node:module";
    createEmbedder(embeddingSettings.parse({}));
    const loaded = Object.keys(createRequire(import.meta.url).cache);
    process.stdout.write(String(loaded.filter((path) => /onnxruntime|tokenizers/.test(path)).length));
  `;
  const arguments_ = ["--import", "tsx", "--input-type=module", "-e", script];
  expect(execFileSync(process.execPath, arguments_, { encoding: "utf8" })).toBe("0");
});
