import { createHash } from "node:crypto";

export interface MemoryItem {
  readonly id: string;
  readonly type: string;
  readonly content: string;
  readonly entities: readonly string[];
  readonly labels: readonly string[];
  readonly by?: string;
  readonly at?: string;
  readonly ref?: string;
  /** Ids of items in an open conflict with this one. */
  readonly disputes: readonly string[];
}

export const ITEM_ID = /^[0-9a-z]{10}$/;

/** True if content and subject are equal, ignoring the spelling of entities. */
export function isSame(a: MemoryItem, b: MemoryItem): boolean {
  return contentKey(a) === contentKey(b);
}

export function contentKey(item: MemoryItem): string {
  const { type, content, entities, labels, by, at, ref, disputes } = item;
  const named = entities.map((entity) => entityKey(entity)).sort();
  return JSON.stringify([type, content, named, [...labels].sort(), by, at, ref, disputes]);
}

export function entityKey(entity: string): string {
  const composed = entity.normalize("NFC");
  return composed.startsWith("file:") ? composed : composed.toLowerCase().replace(/\s+/g, " ");
}

export function normalizeWords(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

export function sortUnique(list: Iterable<string>): string[] {
  return [...new Set(list)].sort();
}

/** A version of an item; null if deleted. */
export type Version = MemoryItem | null;

/**
 * Three-way merge of one item. A change wins over no change and over deletion. Two different texts
 * are both stored; others become conflicting items with ids equal in every clone. An empty result
 * means deleted.
 */
export function mergeItem(
  base: MemoryItem | undefined,
  versions: readonly Version[],
): readonly MemoryItem[] {
  const existing = removeDuplicates(versions.filter((version) => version !== null));
  const changed = existing.filter((version) => base === undefined || !isSame(version, base));
  if (changed.length === 0) {
    const isMissing = base === undefined ? existing.length === 0 : versions.includes(null);
    const [first] = existing;
    return isMissing || first === undefined ? [] : [first];
  }
  const texts = chooseTexts(base, changed);
  const [content = ""] = texts;
  const [first] = changed;
  if (first === undefined) return [];
  const merged: MemoryItem = {
    id: first.id,
    type: chooseVersion(base?.type, changed, ({ type }) => type) ?? first.type,
    content,
    entities: mergeList(
      base?.entities,
      changed.map(({ entities }) => entities),
      entityKey,
    ),
    labels: mergeList(
      base?.labels,
      changed.map(({ labels }) => labels),
    ),
    ...withoutUndefined(
      "by",
      chooseVersion(base?.by, changed, ({ by }) => by),
    ),
    ...withoutUndefined(
      "at",
      chooseVersion(base?.at, changed, ({ at }) => at),
    ),
    ...withoutUndefined(
      "ref",
      chooseVersion(base?.ref, changed, ({ ref }) => ref),
    ),
    disputes: mergeList(
      base?.disputes,
      changed.map(({ disputes }) => disputes),
    ),
  };
  return [merged, ...texts.slice(1).map((text) => createCopy(merged, text, changed))];
}

function createCopy(
  merged: MemoryItem,
  content: string,
  changed: readonly MemoryItem[],
): MemoryItem {
  const own = changed.find((version) => version.content === content) ?? merged;
  return {
    ...own,
    id: deriveId(merged.id, content),
    disputes: sortUnique([...own.disputes, merged.id]),
  };
}

/** Derives a ten-character id from the parts. */
export function deriveId(...parts: readonly string[]): string {
  const digest = createHash("sha256").update(JSON.stringify(parts)).digest();
  const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
  return [...digest.subarray(0, 10)].map((byte) => ALPHABET[byte % ALPHABET.length]).join("");
}

function chooseTexts(base: MemoryItem | undefined, changed: readonly MemoryItem[]): string[] {
  const texts = sortUnique(changed.map(({ content }) => content));
  const edited = texts.filter((content) => content !== base?.content);
  const byWords = new Map<string, string>();
  for (const text of edited.length === 0 ? texts : edited) {
    if (!byWords.has(normalizeWords(text) || text)) byWords.set(normalizeWords(text) || text, text);
  }
  return [...byWords.values()];
}

function chooseVersion<Value extends string>(
  base: Value | undefined,
  changed: readonly MemoryItem[],
  of: (item: MemoryItem) => Value | undefined,
): Value | undefined {
  const values = changed.map(of);
  const others = values.filter((value) => value !== base);
  return others.length === 0
    ? base
    : (sortUnique(others.flatMap((value) => value ?? []))[0] as Value | undefined);
}

function mergeList(
  base: readonly string[] = [],
  lists: readonly (readonly string[])[],
  keyOfOne: (one: string) => string = (one) => one,
): string[] {
  const before = new Set(base.map(keyOfOne));
  const keys = lists.map((list) => new Set(list.map(keyOfOne)));
  const found = new Map<string, string>();
  for (const one of [...base, ...lists.flat()].sort()) {
    const key = keyOfOne(one);
    const isRetained = before.has(key) ? keys.every((list) => list.has(key)) : true;
    if (isRetained && !found.has(key)) found.set(key, one);
  }
  return [...found.values()].sort();
}

function removeDuplicates(versions: readonly MemoryItem[]): MemoryItem[] {
  return [...new Map(versions.map((version) => [contentKey(version), version])).values()].sort(
    (a, b) => (contentKey(a) < contentKey(b) ? -1 : 1),
  );
}

function withoutUndefined<Name extends string>(name: Name, value: string | undefined) {
  return (value === undefined ? {} : { [name]: value }) as Partial<Record<Name, string>>;
}

interface MergeSides {
  readonly base: ReadonlyMap<string, MemoryItem>;
  readonly memory: ReadonlyMap<string, MemoryItem>;
  readonly files: ReadonlyMap<string, readonly MemoryItem[]>;
  /** Merge base after checkout of another branch; undefined: the last synced state. */
  readonly fork?: ReadonlyMap<string, readonly MemoryItem[]> | undefined;
  /**
   * Merge base of an unfinished git merge. One version of each item is this clone's own and already
   * in memory.
   */
  readonly unmerged?: ReadonlyMap<string, readonly MemoryItem[]> | undefined;
}

interface MergedItems {
  readonly items: ReadonlyMap<string, MemoryItem>;
  readonly disputed: ReadonlyMap<string, readonly string[]>;
}

export function mergeAll({ base, memory, files, fork, unmerged }: MergeSides): MergedItems {
  const ids = new Set([...base.keys(), ...memory.keys(), ...files.keys()]);
  const items = new Map<string, MemoryItem>();
  const disputed = new Map<string, readonly string[]>();
  for (const id of [...ids].sort()) {
    const before = base.get(id);
    const inFiles = collectFileVersions(id, { before, files, fork });
    const inMemory: readonly Version[] =
      before === undefined && !memory.has(id) ? [] : [memory.get(id) ?? null];
    const isSplit = (files.get(id) ?? []).length > 1;
    const root = isSplit ? unmerged?.get(id)?.[0] : before;
    const [first, ...additional] = mergeItem(root, [...inMemory, ...inFiles]);
    if (first === undefined) continue;
    items.set(id, first);
    for (const copy of additional) {
      const known = items.get(copy.id) ?? memory.get(copy.id);
      items.set(copy.id, known ?? copy);
    }
    if (additional.length > 0)
      disputed.set(
        id,
        additional.map((copy) => copy.id),
      );
  }
  return { items: removeDangling(items), disputed };
}

function collectFileVersions(
  id: string,
  { before, files, fork }: Pick<MergeSides, "files" | "fork"> & { before: MemoryItem | undefined },
): readonly Version[] {
  const found = files.get(id) ?? [];
  if (before === undefined) return found;
  if (fork === undefined) return found.length === 0 ? [null] : found;
  const ancestors = fork.get(id) ?? [];
  if (found.length === 0) return ancestors.length === 0 ? [] : [null];
  return found.filter((version) => !ancestors.some((one) => isSame(one, version)));
}

function removeDangling(items: ReadonlyMap<string, MemoryItem>): Map<string, MemoryItem> {
  return new Map(
    [...items].map(([id, item]) => [
      id,
      { ...item, disputes: item.disputes.filter((other) => other !== id && items.has(other)) },
    ]),
  );
}
