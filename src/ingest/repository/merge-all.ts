import { isSame, type MemoryItem } from "./memory-item.ts";
import { mergeItem, type Version } from "./merge-item.ts";

export interface Sides {
  readonly base: ReadonlyMap<string, MemoryItem>;
  readonly memory: ReadonlyMap<string, MemoryItem>;
  readonly files: ReadonlyMap<string, readonly MemoryItem[]>;
  /**
   * Undefined: the files go on from those of the last time. Else, as after the checkout of another
   * branch, the files of the commit from which both descend: what is missing there was not taken away,
   * and what stands there was not edited.
   */
  readonly fork?: ReadonlyMap<string, readonly MemoryItem[]> | undefined;
  /**
   * The files of the commit from which both sides of a merge descend that git could not finish. Of what
   * stands several times in the files, one version is this clone's own, on which memory agreed already.
   */
  readonly unmerged?: ReadonlyMap<string, readonly MemoryItem[]> | undefined;
}

export interface MergedItems {
  readonly items: ReadonlyMap<string, MemoryItem>;
  readonly disputed: ReadonlyMap<string, readonly string[]>;
}

export function mergeAll({ base, memory, files, fork, unmerged }: Sides): MergedItems {
  const ids = new Set([...base.keys(), ...memory.keys(), ...files.keys()]);
  const items = new Map<string, MemoryItem>();
  const disputed = new Map<string, readonly string[]>();
  for (const id of [...ids].sort()) {
    const before = base.get(id);
    const inFiles = filesVersions(id, { before, files, fork });
    const inMemory: readonly Version[] =
      before === undefined && !memory.has(id) ? [] : [memory.get(id) ?? null];
    const isSplit = (files.get(id) ?? []).length > 1;
    const root = isSplit ? unmerged?.get(id)?.[0] : before;
    const [first, ...further] = mergeItem(root, [...inMemory, ...inFiles]);
    if (first === undefined) continue;
    items.set(id, first);
    for (const copy of further) {
      const known = items.get(copy.id) ?? memory.get(copy.id);
      items.set(copy.id, known ?? copy);
    }
    if (further.length > 0)
      disputed.set(
        id,
        further.map((copy) => copy.id),
      );
  }
  return { items: withoutDangling(items), disputed };
}

function filesVersions(
  id: string,
  { before, files, fork }: Pick<Sides, "files" | "fork"> & { before: MemoryItem | undefined },
): readonly Version[] {
  const found = files.get(id) ?? [];
  if (before === undefined) return found;
  if (fork === undefined) return found.length === 0 ? [null] : found;
  const then = fork.get(id) ?? [];
  if (found.length === 0) return then.length === 0 ? [] : [null];
  return found.filter((version) => !then.some((one) => isSame(one, version)));
}

function withoutDangling(items: ReadonlyMap<string, MemoryItem>): Map<string, MemoryItem> {
  return new Map(
    [...items].map(([id, item]) => [
      id,
      { ...item, disputes: item.disputes.filter((other) => other !== id && items.has(other)) },
    ]),
  );
}
