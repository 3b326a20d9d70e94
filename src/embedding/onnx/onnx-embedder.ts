import { availableParallelism } from "node:os";
import { CairnError, messageOf } from "../../shared/errors.ts";
import type {
  Embedder,
  EmbedOptions,
  Reading,
  ReadManyOptions,
  TextInContext,
} from "../embedder.ts";
import { signedReading } from "../embedder.ts";
import { EncoderEnded, EncoderPool } from "./encoder-pool.ts";
import { type EncoderModel, loadModel, readInContext } from "./load-model.ts";
import type { ModelFolder } from "./model-folder.ts";

export interface OnnxEmbedder {
  readonly identity: string;
  /** True if queries are encoded differently from passages. */
  readonly hasRoles: boolean;
  folder(): ModelFolder;
  load?(): Promise<EncoderModel>;
  readonly workers?: number | undefined;
  readonly name: string;
  readonly cure: string;
}

const BATCH_SIZE = 16;
/** More processes would be limited by memory, not by cores. */
const MAX_WORKERS = 4;

/** Runs a model in this process, and in others for many texts. Loads it on first use. */
export function createOnnxEmbedder(parts: OnnxEmbedder): Embedder {
  const { identity, hasRoles, folder, name, cure } = parts;
  const load = parts.load ?? (async () => loadModel(folder()));
  const size = parts.workers ?? Math.min(MAX_WORKERS, availableParallelism());
  const pool = new EncoderPool({ size, folder });
  let loading: Promise<EncoderModel> | undefined;

  const unavailable = (error: unknown) => {
    const message = `${name} cannot be used (${messageOf(error)}); ${cure}`;
    return new CairnError("unavailable", message, undefined, { cause: error });
  };

  const loaded = () => {
    loading ??= load().catch((error: unknown) => {
      loading = undefined;
      throw unavailable(error);
    });
    return loading;
  };

  const read = async (
    texts: readonly TextInContext[],
    { signal, role = "passage" }: EmbedOptions = {},
  ) => {
    signal?.throwIfAborted();
    if (texts.length === 0) return [];
    const model = await loaded();
    const readings: Reading[] = [];
    for (const text of texts) {
      try {
        readings.push(await readInContext(model, text, { role, signal }));
      } catch (error) {
        signal?.throwIfAborted();
        throw unavailable(error);
      }
    }
    return readings;
  };

  const readMany = async (texts: readonly TextInContext[], { signal }: ReadManyOptions = {}) => {
    signal?.throwIfAborted();
    if (pool.takes(texts.length)) {
      try {
        return await pool.read(texts, signal);
      } catch (error) {
        signal?.throwIfAborted();
        // Falls back to this process.
        if (!(error instanceof EncoderEnded)) throw unavailable(error);
      }
    }
    return (await read(texts, { signal })).map(signedReading);
  };

  return {
    identity,
    hasRoles,
    batchSize: BATCH_SIZE,
    read,
    readMany,
    async embed(texts, options) {
      const readings = await read(
        texts.map((text) => ({ text, before: "" })),
        options,
      );
      return readings.map(({ vector }) => vector);
    },
    async close() {
      await pool.close();
      await loading?.catch(() => undefined);
      loading = undefined;
    },
  };
}
