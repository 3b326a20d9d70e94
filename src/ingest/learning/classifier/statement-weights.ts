import { readFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "../../../shared/package.ts";
import { FEATURE_PLACES } from "./statement-features.ts";

/** What is told of a sentence, each apart from the others. */
export const HEADS = [
  ...["lasting", "preference", "decision", "fact", "outcome", "agreement", "corrects"],
] as const;
export type Head = (typeof HEADS)[number];

/** For each head one weight a place, as a small number times a scale, and where it begins. */
export interface StatementWeights {
  readonly scales: Float32Array;
  readonly biases: Float32Array;
  /** Head after head, `FEATURE_PLACES` each. */
  readonly places: Int8Array;
}

const FILE = join("models", "statements", "weights.bin");

/** Made by `bench/learning/train.ts`: scales, biases, weights. */
export function readStatementWeights(): StatementWeights {
  const bytes = readFileSync(join(packageRoot(), FILE));
  const { buffer } = new Uint8Array(bytes);
  const floats = HEADS.length * Float32Array.BYTES_PER_ELEMENT;
  const expected = 2 * floats + HEADS.length * FEATURE_PLACES;
  if (buffer.byteLength !== expected) {
    throw new Error(`${FILE} has ${buffer.byteLength} bytes instead of ${expected}.`);
  }
  return {
    scales: new Float32Array(buffer, 0, HEADS.length),
    biases: new Float32Array(buffer, floats, HEADS.length),
    places: new Int8Array(buffer, 2 * floats),
  };
}
