import { sleep } from "../../shared/async.ts";
import { fileSize, tryStat } from "./database-file.ts";
import { type Connection, openConnection } from "./open-connection.ts";

const POLL_INTERVAL_MS = 100;
/**
 * Identical observations after which a file counts as not being written. A process may pause while
 * it checkpoints, when the content matches nothing. Observations are counted instead of time,
 * because a machine may have slept.
 */
const CHECKS_AT_REST = 15;
const TIMEOUT_MS = 10_000;
/**
 * Observations of a file that is unreadable without its log. A checkpoint limited by a reader may
 * leave it so for long, which is valid; only a copy in progress is waited for.
 */
const CHECKS_OF_PARTIAL_FILE = 2;
const SHORT_POLL_INTERVAL_MS = 25;

interface NewestChange {
  readonly id: number;
  readonly ts: string;
}

const NO_CHANGE: NewestChange = { id: 0, ts: "" };

/**
 * Detects whether the file's content was replaced. A backup copied over the file keeps device and
 * inode, but its newest change is older or different. An untouched file only costs a check of its
 * times.
 */
export class ContentInFile {
  readonly #path: string;
  #stamp: string | undefined;
  #newest = 0;

  constructor(path: string) {
    this.#path = path;
  }

  get isUntouched(): boolean {
    return this.#stamp === this.#stampNow();
  }

  async isThatOf(connection: Connection): Promise<boolean> {
    const deadline = performance.now() + TIMEOUT_MS;
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
      if (needsLog && (isOver || last.looks >= CHECKS_OF_PARTIAL_FILE)) return this.#know(before);
      // Another process may be running a checkpoint.
      if (isOver || last.looks >= CHECKS_AT_REST) return fits || this.#isPartOfLog();
      await sleep(needsLog ? SHORT_POLL_INTERVAL_MS : POLL_INTERVAL_MS);
    }
  }

  #know(stamp: string, newest = this.#newest): true {
    this.#stamp = stamp;
    this.#newest = newest;
    return true;
  }

  get #hasLog(): boolean {
    return fileSize(`${this.#path}-wal`) > 0;
  }

  /** A backup is a complete database; a file that needs its log is not. */
  #isPartOfLog(): boolean {
    return this.#hasLog && openInFile(this.#path, isComplete) !== true;
  }

  #carriesOn({ id, ts }: NewestChange, connection: Connection): boolean {
    if (id < this.#newest) return false;
    return id === 0 || loadChange(connection, id)?.ts === ts;
  }

  #stampNow(): string {
    const stats = tryStat(this.#path);
    return `${stats?.mtimeNs}:${stats?.size}`;
  }
}

function newestInFile(path: string): NewestChange | undefined {
  return openInFile(path, loadNewestChange);
}

function openInFile<T>(path: string, read: (connection: Connection) => T): T | undefined {
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

function loadNewestChange(connection: Connection): NewestChange {
  const [{ tables }] = connection
    .prepare("select count(*) as tables from sqlite_schema where name = 'changes'")
    .all() as [{ tables: number }];
  // A new database may exist only in the log.
  if (tables === 0) return NO_CHANGE;
  const [newest] = connection
    .prepare("select id, ts from changes order by id desc limit 1")
    .all() as NewestChange[];
  return newest ?? NO_CHANGE;
}

function isComplete(connection: Connection): boolean {
  return connection.pragma("quick_check(1)", { simple: true }) === "ok";
}

function loadChange(connection: Connection, id: number): NewestChange | undefined {
  const [found] = connection
    .prepare("select id, ts from changes where id = ?")
    .all(id) as NewestChange[];
  return found;
}
