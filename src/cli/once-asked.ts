import type { Once } from "../memory/index.ts";

/** The writes of a question under the names that the process that stays has given them. */
export function writesOf(question: string): () => Once {
  let written = 0;
  return () => {
    const name = `${question}.${written}`;
    written += 1;
    return { name, settled: [] };
  };
}
