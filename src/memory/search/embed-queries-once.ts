import type { Embedder, EmbedOptions } from "../../embedding/index.ts";

/** How many questions are kept: those of a few callers at once. */
const MOST_KEPT = 8;

/**
 * Wraps an embedder so that a question is embedded only once for all layers that are searched. Only finished
 * results are kept, since each caller waits with a signal of its own.
 */
export function embedQueriesOnce(embedder: Embedder): Embedder {
  const kept = new Map<string, unknown>();
  async function once<T>(
    key: readonly unknown[],
    { role }: EmbedOptions,
    make: () => Promise<T>,
  ): Promise<T> {
    if (role !== "query") return make();
    const name = JSON.stringify(key);
    // Only the same call stores results under this name, so the type is right.
    if (kept.has(name)) return structuredClone(kept.get(name) as T);
    const made = await make();
    kept.set(name, structuredClone(made));
    for (const oldest of [...kept.keys()].slice(0, -MOST_KEPT)) kept.delete(oldest);
    return made;
  }
  const { read, readMany, hasRoles } = embedder;
  return {
    get identity() {
      return embedder.identity;
    },
    batchSize: embedder.batchSize,
    ...(hasRoles !== undefined && { hasRoles }),
    embed: (texts, options = {}) =>
      once(["embed", texts], options, () => embedder.embed(texts, options)),
    ...(read !== undefined && {
      read: (texts, options = {}) =>
        once(["read", texts], options, () => read.call(embedder, texts, options)),
    }),
    ...(readMany !== undefined && {
      readMany: (texts, options) => readMany.call(embedder, texts, options),
    }),
    close: () => embedder.close(),
  };
}
