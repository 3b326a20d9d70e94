import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { loadRuntime, type StartSession } from "../runtime/native-session.ts";
import { windowBounds } from "../windows.ts";
import { findModelFolder } from "./find-model-folder.ts";

export interface MinilmModel {
  /** The text's token ids, cut into windows that fit the model, with the marks of start and end. */
  windows(text: string): number[][];
  /** The normalised vector of one window. */
  run(window: readonly number[]): Promise<Float32Array>;
}

/** The model saw 256 tokens in training; two of them mark the start and the end. */
const CONTENT_TOKENS = 254;
const START_TOKEN = 101;
const END_TOKEN = 102;

/** From here on a second thread is worth its waking: 128 tokens take about 10 ms on one. */
const LONG_WINDOW = 128;

/** Loads runtime, tokenizer and weights: about 0.2 s and 150 MB, and 50 MB more for long texts. */
export async function loadMinilm(folder = findModelFolder()): Promise<MinilmModel> {
  const [start, tokenize] = await Promise.all([loadRuntime(), loadTokenizer(folder)]);
  const startSession = (threads: number) => start(join(folder, "model.onnx"), threads);
  // One thread is fastest for a query or a short text.
  const session = startSession(1);
  let wide: Session | undefined;
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
    run: async (window) => runSession(sessionFor(window), window),
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

type Session = ReturnType<StartSession>;

function runSession(session: Session, window: readonly number[]): Float32Array {
  const int64 = (data: BigInt64Array) => ({ type: "int64", data, dims: [1, window.length] });
  const feeds = {
    input_ids: int64(BigInt64Array.from(window, BigInt)),
    attention_mask: int64(new BigInt64Array(window.length).fill(1n)),
  };
  const output = session.run(feeds, { embedding: null }, {});
  const embedding = output.embedding?.data;
  if (!(embedding instanceof Float32Array)) throw new Error("the model gave no embedding");
  return embedding;
}
