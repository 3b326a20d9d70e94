import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { yieldToEventLoop } from "../../shared/async.ts";
import type { Reading, TextInContext, TextRole, TokenReading } from "../embedder.ts";
import { normalise, normalisedMean } from "../embedder.ts";
import { loadRuntime, type StartSession } from "../runtime/native-session.ts";
import { windowBounds } from "../windows.ts";
import type { ModelFolder } from "./model-folder.ts";
import { type Pooling, poolVectors } from "./pool.ts";
import { makeWeightsUnsigned, saturatesInt8Products } from "./unsigned-weights.ts";

interface ModelTokenizer {
  readonly before: readonly number[];
  readonly after: readonly number[];
  /** Tokenizes a text of any length, without those ids. */
  tokenize(text: string): ModelToken[];
}

interface ModelToken {
  readonly id: number;
  /** Lower case, without the word-start marker. */
  readonly text: string;
}

/** Word-start markers of SentencePiece and byte-level vocabularies. */
const WORD_START_MARK = /^[▁Ġ]+/u;
/** Tokenized once to find the ids that surround every text. */
const SAMPLE_TEXT = "a";

export async function loadTokenizer(folder: string): Promise<ModelTokenizer> {
  const [{ Tokenizer }, tokenizer, config] = await Promise.all([
    import("@huggingface/tokenizers"),
    readJson(join(folder, "tokenizer.json")),
    readJson(join(folder, "tokenizer_config.json")).catch(() => ({})),
  ]);
  const loaded = new Tokenizer(tokenizer, config);
  const plain = loaded.encode(SAMPLE_TEXT, { add_special_tokens: false }).ids;
  const marked = loaded.encode(SAMPLE_TEXT).ids;
  const start = Math.max(0, marked.indexOf(plain[0] ?? -1));
  return {
    before: marked.slice(0, start),
    after: marked.slice(start + plain.length),
    tokenize(text) {
      if (text === "") return [];
      const { ids, tokens } = loaded.encode(text, { add_special_tokens: false });
      return ids.map((id: number, index: number) => ({
        id,
        text: (tokens[index] ?? "").replace(WORD_START_MARK, "").toLowerCase(),
      }));
    },
  };
}

async function readJson(path: string): Promise<object> {
  return JSON.parse(await readFile(path, "utf8")) as object;
}

export interface EncoderModel {
  readonly contentTokens: number;
  /** True if part of a window can be pooled separately: late chunking. */
  readonly readsContext: boolean;
  tokenize(text: string): ModelToken[];
  run(ids: readonly number[], role: TextRole): ModelOutput;
}

export interface ModelOutput {
  readonly vector: Float32Array;
  /** One vector per id; empty if the model provides no tokens. */
  readonly tokens: readonly Float32Array[];
}

const SENTENCE_OUTPUTS = ["sentence_embedding", "embedding"];
const TOKEN_OUTPUTS = ["token_embeddings", "last_hidden_state", "tokens"];
const INPUT_NAMES = ["input_ids", "attention_mask", "token_type_ids"];

/**
 * Loads runtime, tokenizer and weights: about 0.2 s and 150 MB for the bundled model. Throws an
 * Error that names the unusable file.
 */
export async function loadModel(folder: ModelFolder): Promise<EncoderModel> {
  const [start, tokenizer, weights] = await Promise.all([
    loadRuntime(),
    loadTokenizer(folder.path),
    loadWeights(folder),
  ]);
  const session = start(weights, folder.isOptimized === true);
  const outputs = chooseOutputs(session, folder.pooling);
  const marks = [tokenizer.before.length, tokenizer.after.length] as const;
  const prefixes = {
    query: tokenizer.tokenize(folder.prefixes.query).map(({ id }) => id),
    passage: tokenizer.tokenize(folder.prefixes.passage).map(({ id }) => id),
  };
  const longestPrefix = Math.max(prefixes.query.length, prefixes.passage.length);
  return {
    contentTokens: Math.max(1, folder.windowTokens - marks[0] - marks[1] - longestPrefix),
    readsContext: folder.pooling === "mean" && outputs.tokens !== undefined && !folder.transforms,
    tokenize: tokenizer.tokenize,
    run(ids, role) {
      const prefix = prefixes[role];
      const window = [...tokenizer.before, ...prefix, ...ids, ...tokenizer.after];
      const output = runSession(session, window);
      const rows = splitRows(output, outputs.tokens, window.length);
      const full =
        outputs.sentence === undefined
          ? poolVectors(rows, folder.pooling)
          : requireFloats(output, outputs.sentence);
      const first = marks[0] + prefix.length;
      return {
        vector: normalise(full.subarray(0, folder.dimensions)),
        tokens: rows.slice(first, first + ids.length),
      };
    },
  };
}

/** Returns the path of the graph, or its bytes if they differ on this processor. */
async function loadWeights(folder: ModelFolder): Promise<string | Uint8Array> {
  const path = join(folder.path, folder.model);
  if (folder.hasInt8Weights !== true || !(await saturatesInt8Products())) return path;
  const model = await readFile(path);
  makeWeightsUnsigned(model);
  return model;
}

type Session = ReturnType<StartSession>;

interface Outputs {
  readonly sentence: string | undefined;
  readonly tokens: string | undefined;
}

function chooseOutputs(session: Session, pooling: Pooling | undefined): Outputs {
  const { inputNames, outputNames } = session;
  const unknown = inputNames.find((name) => !INPUT_NAMES.includes(name));
  if (unknown !== undefined) {
    throw new Error(
      `it requires the input "${unknown}"; supported inputs are ${INPUT_NAMES.join(", ")}`,
    );
  }
  const sentence = SENTENCE_OUTPUTS.find((name) => outputNames.includes(name));
  const tokens = TOKEN_OUTPUTS.find((name) => outputNames.includes(name));
  if (sentence === undefined && tokens === undefined) {
    const known = [...SENTENCE_OUTPUTS, ...TOKEN_OUTPUTS].join(", ");
    throw new Error(`it outputs ${outputNames.join(", ")} but none of ${known}`);
  }
  if (sentence === undefined && pooling === undefined) {
    throw new Error(
      `it outputs only token vectors, and the folder does not define how to pool them; ` +
        `write {"pooling": "mean"} ("cls", "last") into cairn.json in that folder`,
    );
  }
  return { sentence, tokens };
}

/** Requests all outputs: for a subset the native module would mislabel them. */
function runSession(session: Session, window: readonly number[]) {
  const int64 = (data: BigInt64Array) => ({ type: "int64", data, dims: [1, window.length] });
  const values: Readonly<Record<string, BigInt64Array>> = {
    input_ids: BigInt64Array.from(window, BigInt),
    attention_mask: new BigInt64Array(window.length).fill(1n),
    token_type_ids: new BigInt64Array(window.length),
  };
  const feeds = Object.fromEntries(
    session.inputNames.map((name) => [name, int64(values[name] ?? new BigInt64Array())]),
  );
  const fetches = Object.fromEntries(session.outputNames.map((name) => [name, null]));
  return session.run(feeds, fetches, {});
}

function splitRows(
  output: ReturnType<Session["run"]>,
  name: string | undefined,
  count: number,
): Float32Array[] {
  if (name === undefined) return [];
  const states = requireFloats(output, name);
  const size = states.length / count;
  if (!Number.isInteger(size)) throw new Error(`its output "${name}" is not one vector per token`);
  return Array.from({ length: count }, (_, index) =>
    states.subarray(index * size, (index + 1) * size),
  );
}

function requireFloats(output: ReturnType<Session["run"]>, name: string): Float32Array {
  const data = output[name]?.data;
  if (!(data instanceof Float32Array)) {
    throw new Error(`its output "${name}" is not 32-bit floats; export it as fp32 or int8`);
  }
  return data;
}

/**
 * Preceding tokens read with a text, about two turns of conversation, which give context to answers
 * such as "Yes, in March" (late chunking, Günther et al. 2024).
 */
const CONTEXT_TOKENS = 64;

interface ReadOptions {
  readonly role: TextRole;
  readonly signal: AbortSignal | undefined;
}

/**
 * Embeds a text in the context of the preceding one's end, pooling only the text's own tokens. A
 * text of several windows has enough context and is read alone. One window per run: quantization
 * scales activations over the whole batch, so a vector would depend on its neighbors (cosine down
 * to 0.97), and batches save only a tenth of the time. A run is synchronous, so this yields to the
 * event loop before each.
 */
export async function readInContext(
  model: EncoderModel,
  { text, before }: TextInContext,
  { role, signal }: ReadOptions,
): Promise<Reading> {
  const own = model.tokenize(text);
  const ids = own.map(({ id }) => id);
  const room = model.readsContext ? Math.min(CONTEXT_TOKENS, model.contentTokens - own.length) : 0;
  const context = before === "" || room <= 0 ? [] : model.tokenize(before).slice(-room);
  const tokens: TokenReading[] = [];
  const parts: Float32Array[] = [];
  for (const [start, end] of windowBounds(ids.length, model.contentTokens)) {
    await yieldToEventLoop();
    signal?.throwIfAborted();
    const window = [...context.map(({ id }) => id), ...ids.slice(start, end)];
    const output = model.run(window, role);
    const ownTokens = output.tokens.slice(context.length);
    for (const [index, vector] of ownTokens.entries()) {
      tokens.push({ text: own[start + index]?.text ?? "", vector });
    }
    const { length } = output.vector;
    const cut = () => ownTokens.map((token) => token.subarray(0, length));
    parts.push(context.length === 0 ? output.vector : normalisedMean(cut()));
  }
  return { vector: normalisedMean(parts), tokens };
}
