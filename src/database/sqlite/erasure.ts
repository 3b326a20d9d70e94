import { sleep } from "../../shared/async.ts";
import { CairnError } from "../../shared/errors.ts";
import { askOwnProcess, ProcessEnded } from "../../shared/own-process.ts";
import type { Connection } from "./open-connection.ts";

const ERASE_TIMEOUT_MS = 15_000;
const ERASE_WAIT_MS = 50;
const ERASER = new URL("./erase.child.ts", import.meta.url);

export class Erasure {
  readonly #maintain: (body: (connection: Connection) => void) => Promise<void>;
  readonly #closing = new AbortController();
  readonly #runningApart = new Set<Promise<unknown>>();

  /** `maintain` runs what no transaction may contain, on the connection that writes. */
  constructor(maintain: (body: (connection: Connection) => void) => Promise<void>) {
    this.#maintain = maintain;
  }

  async apart(path: string): Promise<void> {
    const { signal } = this.#closing;
    const erasing = askOwnProcess(ERASER, { path }, { signal });
    this.#runningApart.add(erasing);
    try {
      await erasing;
    } catch (error) {
      if (!(error instanceof ProcessEnded)) throw error;
      await this.here();
    } finally {
      this.#runningApart.delete(erasing);
    }
  }

  async here(): Promise<void> {
    await this.#untilFree(rewriteFile);
    await this.#untilFree(emptyLog);
  }

  /** Ends those that run in processes of their own, which reject with `reason`. */
  async close(reason: CairnError): Promise<void> {
    this.#closing.abort(reason);
    await Promise.allSettled(this.#runningApart);
  }

  /** Waits asynchronously, because a reader that must end first may belong to this process. */
  async #untilFree(body: (connection: Connection) => void): Promise<void> {
    const deadline = Date.now() + ERASE_TIMEOUT_MS;
    for (;;) {
      try {
        await this.#maintain(body);
        return;
      } catch (error) {
        const busy = error instanceof CairnError && error.code === "busy";
        if (!busy || this.#closing.signal.aborted || Date.now() > deadline) throw error;
      }
      await sleep(ERASE_WAIT_MS * (0.5 + Math.random()));
    }
  }
}

/**
 * Rewrites the file without deleted content: the text index without dead entries, and no free pages. Fails at
 * once if another process writes.
 */
function rewriteFile(connection: Connection): void {
  connection.pragma("busy_timeout = 0");
  connection.pragma("secure_delete = ON");
  try {
    for (const table of ["episode_text", "concept_text", "passage_text"]) {
      connection.exec(`INSERT INTO ${table}(${table}) VALUES ('optimize')`);
    }
    connection.exec("VACUUM");
  } finally {
    connection.pragma("secure_delete = OFF");
    connection.pragma("busy_timeout = 5000");
  }
}

function emptyLog(connection: Connection): void {
  connection.pragma("busy_timeout = 0");
  try {
    const [result] = connection.pragma("wal_checkpoint(TRUNCATE)") as { busy: number }[];
    if (result?.busy === 0) return;
    throw Object.assign(new Error("The log is in use."), { code: "SQLITE_BUSY" });
  } finally {
    connection.pragma("busy_timeout = 5000");
  }
}
