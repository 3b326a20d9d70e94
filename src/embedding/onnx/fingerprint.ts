import { createHash } from "node:crypto";
import { closeSync, fstatSync, openSync, readSync } from "node:fs";

/** How many blocks of a file are hashed; any two sets of weights differ in each block. */
const BLOCKS = 64;
const BLOCK_BYTES = 1_024;

/**
 * Twelve hexadecimal digits that identify a model's vectors. Weights are hundreds of megabytes, so
 * only their size and blocks at equal distances from start to end are hashed.
 */
export function fingerprint(files: readonly string[], further: unknown): string {
  const hash = createHash("sha256").update(JSON.stringify(further));
  for (const path of files) {
    const file = openSync(path, "r");
    try {
      const { size } = fstatSync(file);
      hash.update(`\0${size}\0`);
      const block = Buffer.alloc(BLOCK_BYTES);
      for (let index = 0; index < BLOCKS; index += 1) {
        const last = Math.max(0, size - BLOCK_BYTES);
        const read = readSync(
          file,
          block,
          0,
          BLOCK_BYTES,
          Math.floor((last * index) / (BLOCKS - 1)),
        );
        hash.update(block.subarray(0, read));
      }
    } finally {
      closeSync(file);
    }
  }
  return hash.digest("hex").slice(0, 12);
}
