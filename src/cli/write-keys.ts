import type { Once } from "../memory/index.ts";

/** Returns the same idempotency keys that the daemon used for the request. */
export function writeKeys(question: string): () => Once {
  let written = 0;
  return () => {
    const name = `${question}.${written}`;
    written += 1;
    return { name, settled: [] };
  };
}
