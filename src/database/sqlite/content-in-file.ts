import { sleep } from "../../kernel/abort.ts";
import { statOf } from "./database-file.ts";
import { type Connection, openConnection } from "./open-connection.ts";

const LOOK_MS = 100;
/**
 * Nobody is writing to a file that stays as it is for so many looks. On a busy machine, who is in the
 * middle of bringing the log into the file may wait for its turn for a part of them, and what lies there
 * then fits nothing. Looks and not time: a machine that slept, slept for all of them.
 */
const LOOKS_AT_REST = 15;
const PATIENCE_MS = 10_000;

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
      if (fits && before === this.#stampNow()) {
        this.#stamp = before;
        this.#newest = found.id;
        return true;
      }
      // Another process may be in the middle of bringing the log into the file.
      if (last.looks >= LOOKS_AT_REST || performance.now() > deadline) return fits;
      await sleep(LOOK_MS);
    }
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

/** Without the log beside it. Undefined where it cannot be read, as while somebody copies over it. */
function newestInFile(path: string): NewestChange | undefined {
  try {
    const connection = openConnection({ path, mode: "immutable" });
    try {
      const [{ tables }] = connection
        .prepare("select count(*) as tables from sqlite_schema where name = 'changes'")
        .all() as [{ tables: number }];
      // What was made just now may be in the log alone.
      if (tables === 0) return NONE;
      const [newest] = connection
        .prepare("select id, ts from changes order by id desc limit 1")
        .all() as NewestChange[];
      return newest ?? NONE;
    } finally {
      connection.close();
    }
  } catch {
    return undefined;
  }
}

function changeOf(connection: Connection, id: number): NewestChange | undefined {
  const [found] = connection
    .prepare("select id, ts from changes where id = ?")
    .all(id) as NewestChange[];
  return found;
}
