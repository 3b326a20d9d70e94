import { CairnError } from "../../shared/errors.ts";
import type { Embedder, EmbedOptions } from "../embedder.ts";
import { normalise, normalisedMean } from "../embedder.ts";
import { textWindows } from "../windows.ts";

export interface RemoteModel {
  readonly identity: string;
  /** Maximum UTF-8 bytes that the model is sure to read completely. */
  readonly windowBytes: number;
  request(pieces: readonly string[], options: EmbedOptions): Promise<unknown>;
}

/** Texts per request: within common server limits and cheap to retry. */
const PIECES_PER_REQUEST = 64;

export function createRemoteEmbedder(model: RemoteModel): Embedder {
  return {
    identity: model.identity,
    batchSize: PIECES_PER_REQUEST,
    async embed(texts, options = {}) {
      options.signal?.throwIfAborted();
      const windows = texts.map((text) => textWindows(text, model.windowBytes));
      const pieces = windows.flat();
      const vectors: Float32Array[] = [];
      for (let start = 0; start < pieces.length; start += PIECES_PER_REQUEST) {
        const batch = pieces.slice(start, start + PIECES_PER_REQUEST);
        vectors.push(...checkVectors(await model.request(batch, options), batch.length));
      }
      let next = 0;
      return windows.map((own) => {
        next += own.length;
        return normalisedMean(vectors.slice(next - own.length, next));
      });
    },
    async close() {},
  };
}

function checkVectors(answer: unknown, expected: number): Float32Array[] {
  const rows: unknown[] = Array.isArray(answer) ? answer : [];
  const vectors = rows.filter(isVector);
  const length = vectors[0]?.length ?? 0;
  if (vectors.length === expected && vectors.every((vector) => vector.length === length)) {
    return vectors.map(normalise);
  }
  throw new CairnError(
    "unavailable",
    `the embedding server did not return ${expected} vectors of numbers for ${expected} texts; ` +
      "check that embedding.model names an embedding model",
  );
}

function isVector(value: unknown): value is number[] {
  return Array.isArray(value) && value.length > 0 && value.every(Number.isFinite);
}
