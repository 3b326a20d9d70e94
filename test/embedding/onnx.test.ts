import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cosine, normalise } from "../../src/embedding/embedder.ts";
import { createEmbedder, type Embedder, embeddingSettings } from "../../src/embedding/index.ts";
import { findModelFolder } from "../../src/embedding/minilm/find-model-folder.ts";
import { poolVectors } from "../../src/embedding/onnx/pool.ts";
import { reindex } from "../../src/memory/index.ts";
import { createTestMemory } from "../support/test-memory.ts";

const shipped = findModelFolder();
const MEAN = { "1_Pooling/config.json": { pooling_mode_mean_tokens: true } };
const NOT_A_GRAPH = "no graph";

let root: string;
let minilm: Embedder;
let made = 0;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "cairn-onnx-"));
  minilm = open({ provider: "minilm" });
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

function open(settings: object): Embedder {
  const embedder = createEmbedder(embeddingSettings.parse(settings));
  if (embedder === null) throw new Error("no embedder");
  return embedder;
}

/** Lays out the built-in model like an exporter, with additional files or another graph. */
function createModelFolder(
  files: Readonly<Record<string, unknown>>,
  graph?: Buffer | string,
): string {
  made += 1;
  const folder = join(root, `model-${made}`);
  mkdirSync(join(folder, "1_Pooling"), { recursive: true });
  for (const name of ["tokenizer.json", "tokenizer_config.json"]) {
    symlinkSync(join(shipped, name), join(folder, name));
  }
  if (graph === undefined) symlinkSync(join(shipped, "model.onnx"), join(folder, "model.onnx"));
  else writeFileSync(join(folder, "model.onnx"), graph);
  const all = {
    "config.json": { model_type: "bert", max_position_embeddings: 512, weights: "int8" },
    "sentence_bert_config.json": { max_seq_length: 256 },
    ...files,
  };
  for (const [name, content] of Object.entries(all)) {
    writeFileSync(
      join(folder, name),
      typeof content === "string" ? content : JSON.stringify(content),
    );
  }
  return folder;
}

const inFolder = (folder: string) => open({ provider: "onnx", folder });

/** Renames outputs of the built-in graph to names of the same length. */
function renamed(names: Readonly<Record<string, string>>): Buffer {
  const graph = readFileSync(join(shipped, "model.onnx"));
  for (const [name, other] of Object.entries(names)) {
    for (let at = graph.indexOf(name); at >= 0; at = graph.indexOf(name, at + 1)) {
      graph.write(other, at, "latin1");
    }
  }
  return graph;
}

async function vectorOf(embedder: Embedder, text: string, role?: "query" | "passage") {
  const [vector] = await embedder.embed([text], { role });
  return vector ?? new Float32Array();
}

describe("a model in a folder", () => {
  it("equals the built-in model for the same files, alone and with context", async () => {
    const embedder = inFolder(createModelFolder(MEAN));
    const texts = [
      { text: "Deploys are frozen on Fridays.", before: "" },
      { text: "At nine, I think.", before: "Do you know when the museum opens?" },
      { text: "The password rotates every ninety days. ".repeat(60), before: "Listen:" },
    ];
    expect(await embedder.read?.(texts)).toEqual(await minilm.read?.(texts));
    const plain = texts.map(({ text }) => text);
    expect(await embedder.embed(plain)).toEqual(await minilm.embed(plain));
  });

  it("pools the tokens if the graph does not", async () => {
    const graph = renamed({ embedding: "unpooled_" });
    const mean = inFolder(createModelFolder(MEAN, graph));
    const text = "Deploys are frozen on Fridays.";
    const expected = await vectorOf(minilm, text);
    expect(cosine(await vectorOf(mean, text), expected)).toBeGreaterThan(0.999);
    const cls = inFolder(createModelFolder({ "cairn.json": { pooling: "cls" } }, graph));
    expect(cosine(await vectorOf(cls, text), expected)).toBeLessThan(0.98);
    const [alone, after] = (await cls.read?.([
      { text, before: "" },
      { text, before: "What about Friday?" },
    ])) ?? [undefined, undefined];
    expect(after?.vector, "what a mark says cannot be told apart from the context").toEqual(
      alone?.vector,
    );
    const silent = inFolder(createModelFolder({}, graph));
    await expect(silent.embed([text])).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringContaining('{"pooling": "mean"}'),
    });
  });

  it("reads queries and passages with their prefixes, which yield no tokens", async () => {
    const prompts = { query: "query: ", document: "passage: " };
    const embedder = inFolder(
      createModelFolder({ ...MEAN, "config_sentence_transformers.json": { prompts } }),
    );
    expect(embedder.hasRoles).toBe(true);
    const text = "When do deploys freeze?";
    expect(await vectorOf(embedder, text, "query")).toEqual(
      await vectorOf(minilm, `query: ${text}`),
    );
    expect(await vectorOf(embedder, text)).toEqual(await vectorOf(minilm, `passage: ${text}`));
    const [reading] = (await embedder.read?.([{ text, before: "" }], { role: "query" })) ?? [];
    const [plain] = (await minilm.read?.([{ text, before: "" }])) ?? [];
    expect(reading?.tokens.map((token) => token.text)).toEqual(
      plain?.tokens.map((token) => token.text),
    );
    const mine = { queryPrefix: "", passagePrefix: "" };
    const own = inFolder(
      createModelFolder({
        ...MEAN,
        "config_sentence_transformers.json": { prompts },
        "cairn.json": mine,
      }),
    );
    expect(await vectorOf(own, text, "query")).toEqual(await vectorOf(minilm, text));
  });

  it("truncates vectors to the configured dimensions", async () => {
    const embedder = inFolder(createModelFolder({ ...MEAN, "cairn.json": { dimensions: 128 } }));
    const short = await vectorOf(embedder, "Deploys are frozen.");
    expect(short.length).toBe(128);
    const whole = await vectorOf(minilm, "Deploys are frozen.");
    expect(cosine(short, normalise(whole.subarray(0, 128)))).toBeCloseTo(1, 5);
  });

  it("works without token outputs", async () => {
    const folder = createModelFolder(MEAN, renamed({ tokens: "hidden" }));
    await using store = createTestMemory({ embedder: inFolder(folder) });
    await store.call("remember", { content: "Deploys are frozen on Fridays." });
    await store.call("remember", { content: "Maria painted the sunrise." });
    await store.memory.makeMissingVectors();
    const { episodes } = await store.call("recall", { query: "When may nothing be released?" });
    expect(episodes[0]?.content).toContain("frozen");
  });

  it("is identified by its content, wherever it is stored", () => {
    const one = inFolder(createModelFolder(MEAN)).identity;
    expect(one).toMatch(/^onnx:bert:[0-9a-f]{12}$/);
    expect(inFolder(createModelFolder(MEAN)).identity).toBe(one);
    for (const further of [
      { "cairn.json": { queryPrefix: "query: " } },
      { "cairn.json": { pooling: "cls" } },
      { "cairn.json": { maxTokens: 128 } },
    ]) {
      expect(inFolder(createModelFolder({ ...MEAN, ...further })).identity).not.toBe(one);
    }
    expect(inFolder(createModelFolder(MEAN, NOT_A_GRAPH)).identity).not.toBe(one);
  });

  it("takes over a database by a reindex", async () => {
    const folder = mkdtempSync(join(root, "memory-"));
    await using before = createTestMemory({ embedder: minilm, folder });
    await before.call("remember", { content: "Deploys are frozen on Fridays." });
    await before.memory.makeMissingVectors();
    await before.memory.close();
    const dimensions = { "cairn.json": { dimensions: 64 } };
    await using after = createTestMemory({
      embedder: inFolder(createModelFolder({ ...MEAN, ...dimensions })),
      folder,
    });
    expect((await after.failure("recall", { query: "release" })).message).toContain(
      "cairn reindex",
    );
    expect(await reindex(after.memory)).toMatchObject({ made: 1, missing: 0 });
    const { episodes } = await after.call("recall", { query: "frozen deploys", explain: true });
    expect(episodes[0]?.explain).toMatchObject({ cosine: expect.closeTo(0.9, 0) });
  });
});

describe("a folder without a model", () => {
  const refused = (settings: object, message: RegExp) =>
    expect(() => open({ provider: "onnx", ...settings })).toThrow(message);

  it("is rejected by name, with the missing files", () => {
    refused({}, /embedding\.folder is missing/);
    refused(
      { folder: "models/bge" },
      /"models\/bge" must be an absolute path; write .*\/models\/bge/,
    );
    refused({ folder: join(root, "nowhere") }, /nowhere has no model\.onnx/);
    const bare = join(root, "bare");
    mkdirSync(bare);
    writeFileSync(join(bare, "model.onnx"), "");
    refused({ folder: bare }, /bare has no tokenizer\.json/);
  });

  it("is rejected with the invalid file and the reason", () => {
    refused({ folder: createModelFolder({ "cairn.json": "{" }) }, /cairn\.json that is not JSON/);
    refused(
      { folder: createModelFolder({ "cairn.json": { pooling: "sum" } }) },
      /an invalid cairn\.json: pooling/,
    );
    refused(
      { folder: createModelFolder({ "cairn.json": { prefix: "x" } }) },
      /cairn\.json.*prefix/,
    );
  });

  it("recalls without vectors if the graph cannot be loaded", async () => {
    const embedder = inFolder(createModelFolder(MEAN, NOT_A_GRAPH));
    await expect(embedder.embed(["a"])).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringMatching(/the model in .* cannot be used.*embedding-models\.md/),
    });
    const silent = inFolder(
      createModelFolder(MEAN, renamed({ embedding: "unpooled_", tokens: "hidden" })),
    );
    await expect(silent.embed(["a"])).rejects.toThrow(/none of sentence_embedding/);
  });
});

it("pools as configured", () => {
  const rows = [Float32Array.of(1, 0), Float32Array.of(0, 1), Float32Array.of(2, 2)];
  expect([...poolVectors(rows, "mean")]).toEqual([1, 1]);
  expect([...poolVectors(rows, "cls")]).toEqual([1, 0]);
  expect([...poolVectors(rows, "last")]).toEqual([2, 2]);
});
