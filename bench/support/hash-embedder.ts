import type { Embedder } from "../../src/embedding/index.ts";
import { seededRandom } from "./synthetic-text.ts";

const DIMENSIONS = 384;

/**
 * Creates an embedder without model cost: a deterministic pseudo-random direction for each text.
 */
export function createHashEmbedder(): Embedder {
  return {
    identity: "bench-hash:1",
    batchSize: 250,
    embed: async (texts) => texts.map(createDirection),
    close: async () => undefined,
  };
}

function createDirection(text: string): Float32Array {
  let hash = 2_166_136_261;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 16_777_619);
  }
  const random = seededRandom(hash);
  const vector = Float32Array.from({ length: DIMENSIONS }, () => random() - 0.5);
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}
