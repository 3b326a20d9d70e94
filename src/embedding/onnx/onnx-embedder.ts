import { setImmediate as nextTurn } from "node:timers/promises";
import { CairnError, messageOf } from "../../kernel/errors.ts";
import type { Embedder, EmbedOptions, Reading, TextInContext } from "../embedder.ts";
import type { EncoderModel } from "./load-model.ts";
import { readInContext } from "./read-in-context.ts";

export interface OnnxEmbedder {
  readonly identity: string;
  /** Whether a query is read otherwise than what it is compared with. */
  readonly hasRoles: boolean;
  /** Rejects with an Error that says why. */
  load(): Promise<EncoderModel>;
  /** What cannot be loaded, and what to do then. */
  readonly name: string;
  readonly cure: string;
}

const BATCH = 16;

/** An embedder over a model in this process. Nothing is loaded before the first text. */
export function onnxEmbedder({ identity, hasRoles, load, name, cure }: OnnxEmbedder): Embedder {
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
      // A run is synchronous: timers, sockets and an abort get their turn between two of them.
      await nextTurn();
      signal?.throwIfAborted();
      try {
        readings.push(readInContext(model, text, { role, signal }));
      } catch (error) {
        signal?.throwIfAborted();
        throw unavailable(error);
      }
    }
    return readings;
  };

  return {
    identity,
    hasRoles,
    batchSize: BATCH,
    read,
    async embed(texts, options) {
      const readings = await read(
        texts.map((text) => ({ text, before: "" })),
        options,
      );
      return readings.map(({ vector }) => vector);
    },
    async close() {
      await loading?.catch(() => undefined);
      loading = undefined;
    },
  };
}
