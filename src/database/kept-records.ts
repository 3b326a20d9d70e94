export interface StoredRecord {
  readonly id: string;
  readonly value: object;
}

/** Which records of a kind, in the order of their ids. */
export interface RecordRange {
  readonly prefix?: string | undefined;
  readonly offset?: number | undefined;
  readonly limit?: number | undefined;
}

export interface RecordReader {
  get(kind: string, id: string): Promise<object | undefined>;
  getAll(kind: string, ids: readonly string[]): Promise<StoredRecord[]>;
  list(kind: string, range?: RecordRange): Promise<StoredRecord[]>;
  count(kind: string, prefix?: string): Promise<number>;
}

export interface RecordWriter extends RecordReader {
  /** Undefined removes the record. */
  put(kind: string, id: string, value: object | undefined): Promise<void>;
}

/**
 * Small records of a place of databases, such as who may come in. Every server of the place sees them. A kind
 * is a word in small letters; an id is 1 to 200 letters, digits, dots, underscores or hyphens.
 */
export interface StoredRecords extends RecordReader {
  /**
   * Changes several records, all or none, while nobody else changes any. `body` must wait for nothing but the
   * records. If it throws, nothing changes.
   */
  together<T>(body: (records: RecordWriter) => Promise<T>): Promise<T>;
  /**
   * Changes one record. `change` gets the current one and returns the new one, or undefined to remove it. If it
   * throws, nothing changes.
   */
  change(
    kind: string,
    id: string,
    change: (before: object | undefined) => object | undefined,
  ): Promise<void>;
}

export function changeOne(
  records: Pick<StoredRecords, "together">,
  kind: string,
  id: string,
  change: (before: object | undefined) => object | undefined,
): Promise<void> {
  return records.together(async (all) => all.put(kind, id, change(await all.get(kind, id))));
}

/** Follows every id that begins with a prefix, since no letter of an id does. */
export const AFTER_ALL_IDS = "~";

/** A record as an engine stores it. */
export interface RecordRow {
  readonly id: string;
  readonly kept: string;
}

export function asRecord(row: RecordRow): StoredRecord {
  return { id: row.id, value: storedIn(row) };
}

export function storedIn({ kept }: RecordRow): object {
  return JSON.parse(kept) as object;
}
