import { execFileSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync } from "node:zlib";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createMinilm } from "../../src/embedding/registry.ts";
import { findRuntime, unpackRuntime } from "../../src/embedding/runtime/native-session.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "cairn-runtime-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it("on a platform without a runtime the embedded model is unavailable and names the setting", async () => {
  const embedder = createMinilm(undefined, async () => {
    throw new Error(await findRuntime("plan9-mips").catch((error: Error) => error.message));
  });
  await expect(embedder.embed(["a"])).rejects.toMatchObject({
    code: "unavailable",
    message: expect.stringMatching(/no ONNX runtime for plan9-mips.*embedding\.provider/),
  });
  await expect(embedder.close()).resolves.toBeUndefined();
});

function archiveOf(files: Record<string, string>): string {
  const list = Object.entries(files).map(([name, text]) => ({ name, bytes: text.length }));
  const path = join(folder, "linux-x64.br");
  const text = `${JSON.stringify({ files: list })}\n${Object.values(files).join("")}`;
  writeFileSync(path, brotliCompressSync(text));
  return path;
}

it("the runtime is unpacked once, whole, and by several at a time", async () => {
  const archive = archiveOf({ "a.node": "module", "lib.so": "library\n" });
  const target = join(folder, "cache");
  const found = await Promise.all([1, 2, 3].map(() => unpackRuntime(archive, [target])));
  expect(new Set(found).size).toBe(1);
  expect(readdirSync(target)).toHaveLength(1);
  expect(readFileSync(join(found[0] ?? "", "lib.so"), "utf8")).toBe("library\n");
  writeFileSync(join(found[0] ?? "", "lib.so"), "kept");
  await unpackRuntime(archive, [target]);
  expect(readFileSync(join(found[0] ?? "", "lib.so"), "utf8")).toBe("kept");
});

it("the runtime is readable for every user of the installation", async () => {
  const unpacked = await unpackRuntime(archiveOf({ "a.node": "module" }), [join(folder, "cache")]);
  for (const path of [unpacked, join(unpacked, "a.node")]) {
    expect(statSync(path).mode & 0o777).toBe(0o755);
  }
});

it("uses the next writable folder for the runtime, and never one outside", async () => {
  const archive = archiveOf({ "../../evil.node": "module" });
  const blocked = join(folder, "blocked");
  writeFileSync(blocked, "a file");
  mkdirSync(join(folder, "second"));
  const unpacked = await unpackRuntime(archive, [join(blocked, "x"), join(folder, "second")]);
  expect(readdirSync(unpacked)).toEqual(["evil.node"]);
});

it("importing the module and creating the embedder loads no runtime", () => {
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
