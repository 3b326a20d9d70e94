import type { ExecuteOptions, InputOf, Memory } from "../../memory/index.ts";

/** Returns the cursor up to which a source was read; undefined if none is stored. */
export async function loadMark(memory: Memory, name: SourceName): Promise<string | undefined> {
  if (!(await memory.isThere())) return undefined;
  const { kind, key } = name;
  const { sources } = await memory.execute("list_sources", { kind, key, limit: 1 });
  return sources[0]?.mark ?? undefined;
}

/** Passages per write; small so that other writers are not blocked for long. */
const PASSAGES_PER_WRITE = 500;

/** Stores the passages read. Returns how many were added or removed. */
export async function storeSource(
  memory: Memory,
  { mark, passages, gone, omitted: _, ...source }: SourceBatch,
  options: ExecuteOptions = {},
): Promise<number> {
  if (source.complete === true) {
    const read = await memory.execute(
      "read_source",
      { ...source, mark, passages: [...passages] },
      options,
    );
    return read.added + read.gone;
  }
  let added = 0;
  // Batches that only remove passages are also sent.
  const length = Math.max(passages.length, gone === undefined ? 0 : 1);
  for (let start = 0; start < length; start += PASSAGES_PER_WRITE) {
    const slice = passages.slice(start, start + PASSAGES_PER_WRITE);
    const isLast = start + PASSAGES_PER_WRITE >= length;
    const read = await memory.execute(
      "read_source",
      {
        ...source,
        ...(isLast && { mark }),
        ...(gone !== undefined && { gone: start === 0 ? [...gone] : [] }),
        passages: [...slice],
      },
      options,
    );
    if (read.forgotten) return added;
    added += read.added + read.gone;
  }
  return added;
}

export type ReadPassage = InputOf<"read_source">["passages"][number];

export interface SourceName {
  /** Kind of author: `claude-code`, `git`, `file`. */
  readonly kind: string;
  readonly key: string;
}

export interface SourceBatch extends SourceName {
  readonly title?: string | undefined;
  readonly place?: string | undefined;
  readonly mark?: string | undefined;
  readonly passages: readonly ReadPassage[];
  /** Keys of passages removed from the source. Reappearing passages are restored. */
  readonly gone?: readonly string[] | undefined;
  /** Description of skipped content, such as "3 damaged records"; reported but not stored. */
  readonly omitted?: string | undefined;
  /** The batch contains the complete source. */
  readonly complete?: true | undefined;
}
