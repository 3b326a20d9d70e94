import {
  type ExecuteOptions,
  type InputOf,
  type Memory,
  type PassageRecord,
  passageIdsByKey,
  passagesKept,
  type SourceRecord,
  sourcesKept,
} from "../../memory/index.ts";

export interface SourceMerge {
  readonly from: Memory;
  readonly into: Memory;
  /** Writes nothing, but counts what would be written. */
  readonly dryRun: boolean;
  /** Options of each write. */
  readonly options: ExecuteOptions;
}

export interface MergedSources {
  /** Number of passages that were added. */
  readonly added: number;
  readonly known: number;
  /** Sources that were forgotten in the target. */
  readonly skips: readonly { readonly where: string; readonly reason: string }[];
  /** Ids in the target of the passages, by their ids in the other memory. */
  readonly ids: ReadonlyMap<string, string>;
}

/**
 * Copies the sources of one memory into another. Kind and key identify a source wherever it was
 * read, and its passages likewise. What both memories have is kept once, and what was forgotten
 * stays forgotten.
 */
export async function mergeSources(work: SourceMerge): Promise<MergedSources> {
  const skips: { where: string; reason: string }[] = [];
  const ids = new Map<string, string>();
  let [added, known] = [0, 0];
  for await (const source of sourcesKept(work.from, work.options)) {
    const there = await sourceThere(work, source);
    const before = await passageIdsByKey(work.into, there, work.options);
    const ours = await bringOver(work, source, { isNew: there === undefined, before });
    if (ours === undefined) {
      const where = `${source.id} (${source.kind}: ${source.title})`;
      skips.push({ where, reason: "it was forgotten there, and stays so" });
      continue;
    }
    const target = there ?? (await sourceThere(work, source));
    const now = await passageIdsByKey(work.into, target, work.options);
    for (const [id, key] of ours) {
      if (before.has(key)) known += 1;
      else added += 1;
      const other = now.get(key);
      if (other !== undefined) ids.set(id, other);
    }
  }
  return { added, known, skips, ids };
}

async function sourceThere({ into, options }: SourceMerge, { kind, key }: SourceRecord) {
  const { sources } = await into.execute("list_sources", { kind, key, limit: 1 }, options);
  return sources[0];
}

interface Target {
  readonly isNew: boolean;
  readonly before: ReadonlyMap<string, string>;
}

/** Keys of the source's passages, by id; undefined if the source was forgotten in the target. */
async function bringOver(
  { from, into, dryRun, options }: SourceMerge,
  source: SourceRecord,
  { isNew, before }: Target,
): Promise<ReadonlyMap<string, string> | undefined> {
  const { kind, key, title, place, mark } = source;
  const name = { kind, key, title, ...(place !== null && { place }) };
  const keys = new Map<string, string>();
  for await (const passages of passagesKept(from, source, options)) {
    for (const { id, key: own } of passages) keys.set(id, own);
    const news = passages.filter((passage) => !before.has(passage.key));
    if (dryRun || news.length === 0) continue;
    const read = await into.execute(
      "read_source",
      {
        ...name,
        // If the target has read the source itself, its own mark of how far it read is kept.
        ...(isNew && mark !== null && { mark }),
        passages: news.map((passage) => newPassage(passage, keys)),
      },
      options,
    );
    if (read.forgotten) return undefined;
  }
  return keys;
}

function newPassage(
  { key, role, by, text, files, branch, reverts, occurred_at: at }: PassageRecord,
  keys: ReadonlyMap<string, string>,
): InputOf<"read_source">["passages"][number] {
  const takesBack = reverts === null ? undefined : keys.get(reverts);
  return {
    ...{ key, role, by, text, files, occurred_at: at },
    ...(branch !== null && { branch }),
    ...(takesBack !== undefined && { reverts: takesBack }),
  };
}
