import { createHash } from "node:crypto";
import { entityKey, isSame, keyOf, type MemoryItem, sorted, wordsOf } from "./memory-item.ts";

/** A version of an item: null where somebody took it away. */
export type Version = MemoryItem | null;

/**
 * One item of what became of it in several places, by what it was when all of them agreed. Whoever
 * changed it wins over whoever left it or took it away. Two texts that say different things are both
 * kept, the further ones as items of their own that dispute the first; every clone gives them the same ids.
 * Empty: it is gone.
 */
export function mergeItem(
  base: MemoryItem | undefined,
  versions: readonly Version[],
): readonly MemoryItem[] {
  const there = distinct(versions.filter((version) => version !== null));
  const changed = there.filter((version) => base === undefined || !isSame(version, base));
  if (changed.length === 0) {
    const isGone = base === undefined ? there.length === 0 : versions.includes(null);
    const [first] = there;
    return isGone || first === undefined ? [] : [first];
  }
  const texts = textsOf(base, changed);
  const [content = ""] = texts;
  const [first] = changed;
  if (first === undefined) return [];
  const merged: MemoryItem = {
    id: first.id,
    type: choose(base?.type, changed, ({ type }) => type) ?? first.type,
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
    ...optional(
      "by",
      choose(base?.by, changed, ({ by }) => by),
    ),
    ...optional(
      "at",
      choose(base?.at, changed, ({ at }) => at),
    ),
    ...optional(
      "ref",
      choose(base?.ref, changed, ({ ref }) => ref),
    ),
    disputes: mergeList(
      base?.disputes,
      changed.map(({ disputes }) => disputes),
    ),
  };
  return [merged, ...texts.slice(1).map((text) => copyOf(merged, text, changed))];
}

function copyOf(merged: MemoryItem, content: string, changed: readonly MemoryItem[]): MemoryItem {
  const own = changed.find((version) => version.content === content) ?? merged;
  return {
    ...own,
    id: idFrom(merged.id, content),
    disputes: sorted([...own.disputes, merged.id]),
  };
}

/** Ten letters and digits of what it is made from. */
export function idFrom(...parts: readonly string[]): string {
  const digest = createHash("sha256").update(JSON.stringify(parts)).digest();
  const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
  return [...digest.subarray(0, 10)].map((byte) => ALPHABET[byte % ALPHABET.length]).join("");
}

function textsOf(base: MemoryItem | undefined, changed: readonly MemoryItem[]): string[] {
  const texts = sorted(changed.map(({ content }) => content));
  const edited = texts.filter((content) => content !== base?.content);
  const byWords = new Map<string, string>();
  for (const text of edited.length === 0 ? texts : edited) {
    if (!byWords.has(wordsOf(text) || text)) byWords.set(wordsOf(text) || text, text);
  }
  return [...byWords.values()];
}

function choose<Value extends string>(
  base: Value | undefined,
  changed: readonly MemoryItem[],
  of: (item: MemoryItem) => Value | undefined,
): Value | undefined {
  const values = changed.map(of);
  const others = values.filter((value) => value !== base);
  return others.length === 0
    ? base
    : (sorted(others.flatMap((value) => value ?? []))[0] as Value | undefined);
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
    const stays = before.has(key) ? keys.every((list) => list.has(key)) : true;
    if (stays && !found.has(key)) found.set(key, one);
  }
  return [...found.values()].sort();
}

function distinct(versions: readonly MemoryItem[]): MemoryItem[] {
  return [...new Map(versions.map((version) => [keyOf(version), version])).values()].sort((a, b) =>
    keyOf(a) < keyOf(b) ? -1 : 1,
  );
}

function optional<Name extends string>(name: Name, value: string | undefined) {
  return (value === undefined ? {} : { [name]: value }) as Partial<Record<Name, string>>;
}
