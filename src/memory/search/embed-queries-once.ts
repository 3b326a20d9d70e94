import type { Embedder, EmbedOptions } from "../../embedding/index.ts";

/** Cached queries, enough for a few concurrent callers. */
const MAX_STORED = 8;

/**
 * Wraps an embedder so that concurrent layers share one embedding of a query. If the first caller
 * aborts, waiting callers start another.
 */
export function embedQueriesOnce(embedder: Embedder): Embedder {
  const retained = new Map<string, Promise<unknown>>();
  async function once<T>(
    key: readonly unknown[],
    { role, signal }: EmbedOptions,
    make: () => Promise<T>,
    getCopy: (created: T) => T,
  ): Promise<T> {
    if (role !== "query") return make();
    const name = JSON.stringify(key);
    // Only calls of the same type store results under this name.
    const known = retained.get(name) as Promise<T> | undefined;
    if (known !== undefined) {
      const created = await known.catch(() => undefined);
      signal?.throwIfAborted();
      return created === undefined ? make() : getCopy(created);
    }
    const making = make();
    const copy = making.then(getCopy);
    retained.set(name, copy);
    copy.catch(() => retained.delete(name));
    for (const oldest of [...retained.keys()].slice(0, -MAX_STORED)) retained.delete(oldest);
    return making;
  }
  const { read, readMany, hasRoles } = embedder;
  return {
    get identity() {
      return embedder.identity;
    },
    batchSize: embedder.batchSize,
    ...(hasRoles !== undefined && { hasRoles }),
    embed: (texts, options = {}) =>
      once(
        ["embed", texts],
        options,
        () => embedder.embed(texts, options),
        (created) => structuredClone(created),
      ),
    ...(read !== undefined && {
      read: (texts, options = {}) =>
        once(
          ["read", texts],
          options,
          () => read.call(embedder, texts, options),
          (created) => created,
        ),
    }),
    ...(readMany !== undefined && {
      readMany: (texts, options) => readMany.call(embedder, texts, options),
    }),
    close: () => embedder.close(),
  };
}
