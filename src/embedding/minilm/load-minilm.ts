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

/** Loads runtime, tokenizer and weights: about 0.2 s and 150 MB. One thread is fastest for one text. */
export async function loadMinilm(folder = findModelFolder()): Promise<MinilmModel> {
  const [runtime, tokenize] = await Promise.all([
    import("onnxruntime-node"),
    loadTokenizer(folder),
  ]);
  const session = await runtime.InferenceSession.create(join(folder, "model.onnx"), {
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
  });
  return {
    windows(text) {
      const ids = tokenize(text);
      return windowBounds(ids.length, CONTENT_TOKENS).map(([start, end]) => [
        START_TOKEN,
        ...ids.slice(start, end),
        END_TOKEN,
      ]);
    },
    run: (window) => runSession(session, runtime.Tensor, window),
    release: () => session.release(),
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
