import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { InferenceSession, Tensor } from "onnxruntime-node";
import { windowBounds } from "../windows.ts";
import { findModelFolder } from "./find-model-folder.ts";

export interface MinilmModel {
  /** The text's token ids, cut into windows that fit the model, with the marks of start and end. */
  windows(text: string): number[][];
  /** The normalised vector of one window. */
  run(window: readonly number[]): Promise<Float32Array>;
  release(): Promise<void>;
}

/** The model saw 256 tokens in training; two of them mark the start and the end. */
const CONTENT_TOKENS = 254;
const START_TOKEN = 101;
const END_TOKEN = 102;

/** From here on a second thread is worth its waking: 128 tokens take about 10 ms on one. */
const LONG_WINDOW = 128;

/** Loads runtime, tokenizer and weights: about 0.2 s and 150 MB, and 50 MB more for long texts. */
export async function loadMinilm(folder = findModelFolder()): Promise<MinilmModel> {
  const [runtime, tokenize] = await Promise.all([
    import("onnxruntime-node"),
    loadTokenizer(folder),
  ]);
  const startSession = (threads: number) =>
    runtime.InferenceSession.create(join(folder, "model.onnx"), {
      intraOpNumThreads: threads,
      interOpNumThreads: 1,
      // A thread that spins while it waits takes the core from others, and from its own other half.
      extra: { session: { intra_op: { allow_spinning: "0" } } },
    });
  // One thread is fastest for a query or a short text.
  const session = await startSession(1);
  let wide: Promise<InferenceSession> | undefined;
  const sessionFor = (window: readonly number[]) => {
    if (window.length < LONG_WINDOW) return session;
    wide ??= startSession(2);
    return wide;
  };
  return {
    windows(text) {
      const ids = tokenize(text);
      return windowBounds(ids.length, CONTENT_TOKENS).map(([start, end]) => [
        START_TOKEN,
        ...ids.slice(start, end),
        END_TOKEN,
      ]);
    },
    run: async (window) => runSession(await sessionFor(window), runtime.Tensor, window),
    async release() {
      await session.release();
      await (await wide)?.release();
    },
  };
}

async function loadTokenizer(folder: string): Promise<(text: string) => number[]> {
  const [{ Tokenizer }, tokenizer, config] = await Promise.all([
    import("@huggingface/tokenizers"),
    readJson(join(folder, "tokenizer.json")),
    readJson(join(folder, "tokenizer_config.json")),
  ]);
  const loaded = new Tokenizer(tokenizer, config);
  return (text) => loaded.encode(text, { add_special_tokens: false }).ids;
}

async function readJson(path: string): Promise<object> {
  return JSON.parse(await readFile(path, "utf8")) as object;
}

async function runSession(
  session: InferenceSession,
  TensorClass: typeof Tensor,
  window: readonly number[],
): Promise<Float32Array> {
  const shape = [1, window.length];
  const output = await session.run({
    input_ids: new TensorClass("int64", BigInt64Array.from(window, BigInt), shape),
    attention_mask: new TensorClass("int64", new BigInt64Array(window.length).fill(1n), shape),
  });
  const embedding = output.embedding?.data;
  if (!(embedding instanceof Float32Array)) throw new Error("the model gave no embedding");
  return embedding;
}
