import type { Once } from "../memory/index.ts";

/** Names for the writes of a question, the same that the long-lived process gave them. */
export function writesOf(question: string): () => Once {
  let written = 0;
  return () => {
    const name = `${question}.${written}`;
    written += 1;
    return { name, settled: [] };
  };
}
