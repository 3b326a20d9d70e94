import { createHash } from "node:crypto";
import { closeSync, existsSync, fstatSync, openSync, readFileSync, readSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { invalidInput } from "../../shared/errors.ts";
import type { TextRole } from "../embedder.ts";
import { POOLINGS, type Pooling } from "./pool.ts";

/** Blocks hashed per file; different weights differ in each block. */
const FINGERPRINT_BLOCKS = 64;
const BLOCK_BYTES = 1_024;

/**
 * Twelve hex digits that identify a model's vectors. Weights are hundreds of megabytes, so only
 * their size and evenly spaced blocks are hashed.
 */
function computeFingerprint(files: readonly string[], additional: unknown): string {
  const hash = createHash("sha256").update(JSON.stringify(additional));
  for (const path of files) {
    const file = openSync(path, "r");
    try {
      const { size } = fstatSync(file);
      hash.update(`\0${size}\0`);
      const block = Buffer.alloc(BLOCK_BYTES);
      for (let index = 0; index < FINGERPRINT_BLOCKS; index += 1) {
        const last = Math.max(0, size - BLOCK_BYTES);
        const read = readSync(
          file,
          block,
          0,
          BLOCK_BYTES,
          Math.floor((last * index) / (FINGERPRINT_BLOCKS - 1)),
        );
        hash.update(block.subarray(0, read));
      }
    } finally {
      closeSync(file);
    }
  }
  return hash.digest("hex").slice(0, 12);
}

export interface ModelFolder {
  readonly path: string;
  readonly model: string;
  /** Undefined if defined only in the graph. */
  readonly pooling: Pooling | undefined;
  /** True if the vector is more than pooled tokens, for example the output of a further layer. */
  readonly transforms: boolean;
  readonly windowTokens: number;
  /** Number of leading dimensions used, for models that support truncation. */
  readonly dimensions: number | undefined;
  readonly prefixes: Readonly<Record<TextRole, string>>;
  /** The graph was optimized at export; repeating it only delays the start. */
  readonly isOptimized?: boolean;
  /** All int8 tensors are weights of matrix products with explicit zero points; `weights` of config.json. */
  readonly hasInt8Weights?: boolean;
}

/** Time and memory grow with the square of the length, and the vector becomes less specific. */
const MAX_WINDOW_TOKENS = 512;
const MODEL_PATHS = ["model.onnx", join("onnx", "model.onnx")];
const WEIGHT_SUFFIXES = ["_data", ".data"];
const POOLING_FILE = join("1_Pooling", "config.json");

/**
 * Reads the sentence-transformers description, and `cairn.json`, which takes precedence. Throws
 * invalid_input that names the file and its fault.
 */
export function readModelFolder(path: string): ModelFolder {
  const model = MODEL_PATHS.find((name) => existsSync(join(path, name)));
  if (model === undefined) throw unusableModelError(path, "has no model.onnx");
  if (!existsSync(join(path, "tokenizer.json")))
    throw unusableModelError(path, "has no tokenizer.json");
  const own = readJson(path, "cairn.json", ownSchema);
  const pooling = readJson(path, POOLING_FILE, poolingSchema);
  const modules = readJson(path, "modules.json", modulesSchema);
  const { prompts } = readJson(path, "config_sentence_transformers.json", promptsSchema);
  const config = readJson(path, "config.json", configSchema);
  const lengths = [
    MAX_WINDOW_TOKENS,
    readJson(path, "sentence_bert_config.json", sentenceSchema).max_seq_length,
    readJson(path, "tokenizer_config.json", tokenizerSchema).model_max_length,
    config.max_position_embeddings,
  ];
  return {
    path,
    model,
    pooling: own.pooling ?? choosePooling(pooling),
    transforms: modules.some(({ type }) => /\.Dense$/.test(type)),
    windowTokens: own.maxTokens ?? Math.min(...lengths.filter(isNumber)),
    dimensions: own.dimensions,
    prefixes: {
      query: own.queryPrefix ?? prompts.query ?? "",
      passage: own.passagePrefix ?? prompts.document ?? prompts.passage ?? "",
    },
    ...(config.weights === "int8" && { hasInt8Weights: true }),
  };
}

/** Identifies the model's vectors, independent of its location. Throws like `readModelFolder`. */
export function computeIdentity(folder: ModelFolder): string {
  const { path, model, isOptimized: _, hasInt8Weights: __, ...meaning } = folder;
  const { model_type: type } = readJson(path, "config.json", configSchema);
  const weights = WEIGHT_SUFFIXES.map((end) => `${model}${end}`).filter((name) =>
    existsSync(join(path, name)),
  );
  const files = [model, ...weights, "tokenizer.json"].map((name) => join(path, name));
  return `onnx:${type ?? "model"}:${computeFingerprint(files, meaning)}`;
}

const count = z.number().int().min(8);
const ownSchema = z
  .strictObject({
    pooling: z.enum(POOLINGS).optional(),
    queryPrefix: z.string().optional(),
    passagePrefix: z.string().optional(),
    maxTokens: count.optional(),
    dimensions: count.optional(),
  })
  .prefault({});
const poolingSchema = z
  .object({
    pooling_mode_mean_tokens: z.boolean().optional(),
    pooling_mode_cls_token: z.boolean().optional(),
    pooling_mode_lasttoken: z.boolean().optional(),
  })
  .prefault({});
const modulesSchema = z.array(z.object({ type: z.string() })).prefault([]);
const promptsSchema = z
  .object({ prompts: z.record(z.string(), z.string()).prefault({}) })
  .prefault({});
const sentenceSchema = z.object({ max_seq_length: z.number().nullish() }).prefault({});
const tokenizerSchema = z.object({ model_max_length: z.number().nullish() }).prefault({});
const configSchema = z
  .object({
    max_position_embeddings: z.number().nullish(),
    model_type: z.string().optional(),
    weights: z.unknown().optional(),
  })
  .prefault({});

/** Reads sentence-transformers' flags; undefined for an unsupported method. */
function choosePooling(flags: z.output<typeof poolingSchema>): Pooling | undefined {
  if (flags.pooling_mode_mean_tokens) return "mean";
  if (flags.pooling_mode_cls_token) return "cls";
  return flags.pooling_mode_lasttoken ? "last" : undefined;
}

function isNumber(value: number | null | undefined): value is number {
  return typeof value === "number";
}

/** Parses a file by its schema; a missing file counts as empty. */
function readJson<Schema extends z.ZodType>(
  folder: string,
  name: string,
  schema: Schema,
): z.output<Schema> {
  if (!existsSync(join(folder, name))) return schema.parse(undefined);
  let json: unknown;
  try {
    json = JSON.parse(readFileSync(join(folder, name), "utf8"));
  } catch {
    throw unusableModelError(folder, `has a ${name} that is not JSON`);
  }
  const parsed = schema.safeParse(json);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const at = issue?.path.join(".");
  throw unusableModelError(
    folder,
    `has an invalid ${name}: ${at ? `${at}: ` : ""}${issue?.message}`,
  );
}

function unusableModelError(folder: string, problem: string) {
  return invalidInput(
    `embedding.folder ${folder} ${problem}; export a text encoder into it as ` +
      "docs/guides/embedding-models.md shows, or choose another embedding.provider",
  );
}
