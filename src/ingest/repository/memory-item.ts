export interface MemoryItem {
  readonly id: string;
  readonly type: string;
  readonly content: string;
  /** `type:name`, in order. */
  readonly entities: readonly string[];
  /** `key=value`, in order. */
  readonly labels: readonly string[];
  readonly by?: string;
  /** ISO 8601. */
  readonly at?: string;
  readonly ref?: string;
  /** Ids of items that say otherwise, where nobody has decided yet. */
  readonly disputes: readonly string[];
}

/** An id in a file. */
export const ITEM_ID = /^[0-9a-z]{10}$/;

/** True if both say the same of the same. How an entity is spelled counts for nothing. */
export function isSame(a: MemoryItem, b: MemoryItem): boolean {
  return keyOf(a) === keyOf(b);
}

/** The same for what `isSame`. */
export function keyOf(item: MemoryItem): string {
  const { type, content, entities, labels, by, at, ref, disputes } = item;
  const named = entities.map((entity) => entityKey(entity)).sort();
  return JSON.stringify([type, content, named, [...labels].sort(), by, at, ref, disputes]);
}

export function entityKey(entity: string): string {
  const composed = entity.normalize("NFC");
  return composed.startsWith("file:") ? composed : composed.toLowerCase().replace(/\s+/g, " ");
}

export function wordsOf(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

export function sorted(list: Iterable<string>): string[] {
  return [...new Set(list)].sort();
}
