export interface StoredRecord {
  readonly id: string;
  readonly value: object;
}

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
 * Small records of a store, such as users and roles, shared by all servers. A kind is a lower-case
 * word; an id has 1 to 200 letters, digits, dots, underscores or hyphens.
 */
export interface StoredRecords extends RecordReader {
  /**
   * Changes records atomically and exclusively; reverts if `body` throws. It may only wait for
   * records.
   */
  together<T>(body: (records: RecordWriter) => Promise<T>): Promise<T>;
  /** Changes one record; undefined removes it. Reverts if `change` throws. */
  change(
    kind: string,
    id: string,
    change: (before: object | undefined) => object | undefined,
  ): Promise<void>;
}

export function changeRecord(
  records: Pick<StoredRecords, "together">,
  kind: string,
  id: string,
  change: (before: object | undefined) => object | undefined,
): Promise<void> {
  return records.together(async (all) => all.put(kind, id, change(await all.get(kind, id))));
}

/** Sorts after every id with a given prefix. */
export const AFTER_ALL_IDS = "~";

export interface RecordRow {
  readonly id: string;
  readonly kept: string;
}

export function toRecord(row: RecordRow): StoredRecord {
  return { id: row.id, value: parseStored(row) };
}

export function parseStored({ kept }: RecordRow): object {
  return JSON.parse(kept) as object;
}
