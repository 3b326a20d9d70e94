import type { ExecuteOptions, InputOf, Memory } from "../../memory/index.ts";

/** Cursor up to which a source was read; undefined if nothing of it is stored. */
export async function markOf(memory: Memory, name: SourceName): Promise<string | undefined> {
  if (!(await memory.isThere())) return undefined;
  const { kind, key } = name;
  const { sources } = await memory.execute("list_sources", { kind, key, limit: 1 });
  return sources[0]?.mark ?? undefined;
}

/** Passages in one write: few enough for others to write in between. */
const AT_ONCE = 500;

/** Passes what was read to the memory. Returns how many passages are new or gone. */
export async function takeIn(
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
  // A batch that only removes passages is sent too.
  const length = Math.max(passages.length, gone === undefined ? 0 : 1);
  for (let start = 0; start < length; start += AT_ONCE) {
    const slice = passages.slice(start, start + AT_ONCE);
    const isLast = start + AT_ONCE >= length;
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
  /** The kind of its author: `claude-code`, `git`, `file`. */
  readonly kind: string;
  readonly key: string;
}

export interface SourceBatch extends SourceName {
  readonly title?: string | undefined;
  readonly place?: string | undefined;
  readonly mark?: string | undefined;
  readonly passages: readonly ReadPassage[];
  /** Keys of passages that the source no longer has. A passage that reappears is restored. */
  readonly gone?: readonly string[] | undefined;
  /** Skipped content, such as "3 damaged records"; reported to the user, not stored. */
  readonly omitted?: string | undefined;
  /** The passages are all that the source has. */
  readonly complete?: true | undefined;
}
