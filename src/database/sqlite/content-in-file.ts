import { sleep } from "../../kernel/abort.ts";
import { sizeOf, statOf } from "./database-file.ts";
import { type Connection, openConnection } from "./open-connection.ts";

const LOOK_MS = 100;
/**
 * Nobody is writing to a file that stays as it is for so many looks. On a busy machine, who is in the
 * middle of bringing the log into the file may wait for its turn for a part of them, and what lies there
 * then fits nothing. Looks and not time: a machine that slept, slept for all of them.
 */
const LOOKS_AT_REST = 15;
const PATIENCE_MS = 10_000;
/**
 * Looks at a file that says nothing without its log. Where a reader held the log back, SQLite brought
 * in some of its pages and not those that were changed again, and may leave it so for long: that is in
 * order, and whoever waits for it to end waits in vain. Only a copy that is just being made is waited for.
 */
const LOOKS_AT_A_PART = 2;
const SHORT_LOOK_MS = 25;

interface NewestChange {
  readonly id: number;
  readonly ts: string;
}

const NONE: NewestChange = { id: 0, ts: "" };

/**
 * Tells whether what lies in a file is still what its connections read: a former state of it, which
 * the log carries on. A backup that was copied over it in place keeps its device and inode; its newest
 * change is older than what was there before, or another one. As long as the file was not touched, that
 * costs a look at its times.
 */
export class ContentInFile {
  readonly #path: string;
  #stamp: string | undefined;
  /** The newest change that the file itself has had. */
  #newest = 0;

  constructor(path: string) {
    this.#path = path;
  }

  get isUntouched(): boolean {
    return this.#stamp === this.#stampNow();
  }

  async isThatOf(connection: Connection): Promise<boolean> {
    const deadline = performance.now() + PATIENCE_MS;
    let last = { stamp: "", looks: 0 };
    for (;;) {
      if (this.isUntouched) return true;
      const before = this.#stampNow();
      last = { stamp: before, looks: before === last.stamp ? last.looks + 1 : 0 };
      const found = newestInFile(this.#path);
      const fits = found !== undefined && this.#carriesOn(found, connection);
      if (fits && before === this.#stampNow()) return this.#know(before, found.id);
      const isOver = performance.now() > deadline;
      const needsLog = found === undefined && this.#hasLog;
      if (needsLog && (isOver || last.looks >= LOOKS_AT_A_PART)) return this.#know(before);
      // Another process may be in the middle of bringing the log into the file.
      if (isOver || last.looks >= LOOKS_AT_REST) return fits || this.#isPartOfLog();
      await sleep(needsLog ? SHORT_LOOK_MS : LOOK_MS);
    }
  }

  #know(stamp: string, newest = this.#newest): true {
    this.#stamp = stamp;
    this.#newest = newest;
    return true;
  }

  get #hasLog(): boolean {
    return sizeOf(`${this.#path}-wal`) > 0;
  }

  /** A backup is a whole database, and what needs its log beside it is not. */
  #isPartOfLog(): boolean {
    return this.#hasLog && inFile(this.#path, isWhole) !== true;
  }

  #carriesOn({ id, ts }: NewestChange, connection: Connection): boolean {
    if (id < this.#newest) return false;
    return id === 0 || changeOf(connection, id)?.ts === ts;
  }

  #stampNow(): string {
    const stats = statOf(this.#path);
    return `${stats?.mtimeNs}:${stats?.size}`;
  }
}

function newestInFile(path: string): NewestChange | undefined {
  return inFile(path, newestOf);
}

/** Read without the log beside it. Undefined where it cannot be, as while somebody copies over it. */
function inFile<T>(path: string, read: (connection: Connection) => T): T | undefined {
  try {
    const connection = openConnection({ path, mode: "immutable" });
    try {
      return read(connection);
    } finally {
      connection.close();
    }
  } catch {
    return undefined;
  }
}

function newestOf(connection: Connection): NewestChange {
  const [{ tables }] = connection
    .prepare("select count(*) as tables from sqlite_schema where name = 'changes'")
    .all() as [{ tables: number }];
  // What was made just now may be in the log alone.
  if (tables === 0) return NONE;
  const [newest] = connection
    .prepare("select id, ts from changes order by id desc limit 1")
    .all() as NewestChange[];
  return newest ?? NONE;
}

function isWhole(connection: Connection): boolean {
  return connection.pragma("quick_check(1)", { simple: true }) === "ok";
}

function changeOf(connection: Connection, id: number): NewestChange | undefined {
  const [found] = connection
    .prepare("select id, ts from changes where id = ?")
    .all(id) as NewestChange[];
  return found;
}
