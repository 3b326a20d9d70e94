import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { loadRuntime, type StartSession } from "../runtime/native-session.ts";
import { findModelFolder } from "./find-model-folder.ts";

export interface MinilmModel {
  /** Most tokens of a text that one run takes. */
  readonly contentTokens: number;
  tokenize(text: string): ModelToken[];
  /** The normalised vector of at most `contentTokens` token ids. */
  run(ids: readonly number[]): Promise<Float32Array>;
  /** The same, and a vector for each of the ids. */
  runForTokens(ids: readonly number[]): Promise<ModelOutput>;
}

export interface ModelToken {
  readonly id: number;
  readonly text: string;
}

export interface ModelOutput {
  readonly embedding: Float32Array;
  readonly tokens: readonly Float32Array[];
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
  const sessionFor = (ids: readonly number[]) => {
    if (ids.length < LONG_WINDOW) return session;
    wide ??= startSession(2);
    return wide;
  };
  const run = (ids: readonly number[], outputs: readonly string[]) =>
    runSession(sessionFor(ids), ids, outputs);
  return {
    contentTokens: CONTENT_TOKENS,
    tokenize,
    run: async (ids) => floatsOf(run(ids, ["embedding"]), "embedding"),
    async runForTokens(ids) {
      const output = run(ids, ["embedding", "tokens"]);
      const embedding = floatsOf(output, "embedding");
      const size = embedding.length;
      const states = floatsOf(output, "tokens");
      // The first row is the start mark's.
      const tokens = ids.map((_, index) => states.slice((index + 1) * size, (index + 2) * size));
      return { embedding, tokens };
    },
  };
}

async function loadTokenizer(folder: string): Promise<(text: string) => ModelToken[]> {
  const [{ Tokenizer }, tokenizer, config] = await Promise.all([
    import("@huggingface/tokenizers"),
    readJson(join(folder, "tokenizer.json")),
    readJson(join(folder, "tokenizer_config.json")),
  ]);
  const loaded = new Tokenizer(tokenizer, config);
  return (text) => {
    const { ids, tokens } = loaded.encode(text, { add_special_tokens: false });
    return ids.map((id: number, index: number) => ({ id, text: tokens[index] ?? "" }));
  };
}

async function readJson(path: string): Promise<object> {
  return JSON.parse(await readFile(path, "utf8")) as object;
}

type Session = ReturnType<StartSession>;

function runSession(session: Session, ids: readonly number[], outputs: readonly string[]) {
  const marked = [START_TOKEN, ...ids, END_TOKEN];
  const int64 = (data: BigInt64Array) => ({ type: "int64", data, dims: [1, marked.length] });
  const feeds = {
    input_ids: int64(BigInt64Array.from(marked, BigInt)),
    attention_mask: int64(new BigInt64Array(marked.length).fill(1n)),
  };
  return session.run(feeds, Object.fromEntries(outputs.map((name) => [name, null])), {});
}

function floatsOf(output: ReturnType<Session["run"]>, name: string): Float32Array {
  const data = output[name]?.data;
  if (!(data instanceof Float32Array)) throw new Error(`the model gave no output "${name}"`);
  return data;
}
