import type { Database } from "../../database/index.ts";
import { type Clock, toTimestamp } from "../../shared/clock.ts";
import { messageOf } from "../../shared/errors.ts";
import type { IdSource } from "../../shared/ids.ts";
import type { Logger } from "../../shared/logger.ts";
import type { LoggedRecall } from "./logged-recall.ts";
import { type DatedRecall, type RecallLogBounds, storeRecalls } from "./store-recalls.ts";

export interface RecallLogOptions {
  readonly database: Database;
  readonly bounds: RecallLogBounds;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly logger: Logger;
}

const STORE_DELAY_MS = 500;
const TIMEOUT_MS = 250;
const MAX_WAITING = 2_000;

/** Logs recalls after the response. Storage failures are logged once. */
export class RecallLog {
  readonly #options: RecallLogOptions;
  #waiting: DatedRecall[] = [];
  #timer: NodeJS.Timeout | undefined;
  #storing: Promise<void> = Promise.resolve();
  #hasWarned = false;

  constructor(options: RecallLogOptions) {
    this.#options = options;
  }

  note(recall: LoggedRecall): void {
    const { clock, ids } = this.#options;
    this.#waiting.push({ ...recall, id: ids.next("r"), at: toTimestamp(clock.now()) });
    if (this.#waiting.length > MAX_WAITING) this.#waiting.shift();
    this.#timer ??= setTimeout(() => void this.store(), STORE_DELAY_MS).unref();
  }

  /** Stores pending entries. Never rejects. */
  store(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const recalls = this.#waiting;
    this.#waiting = [];
    if (recalls.length > 0) this.#storing = this.#storing.then(() => this.#store(recalls));
    return this.#storing;
  }

  async #store(recalls: readonly DatedRecall[]): Promise<void> {
    const { database, bounds, clock, logger } = this.#options;
    try {
      if (!(await database.exists()) || !(await database.isCurrent())) return;
      const now = clock.now();
      const masked = await maskRecalls(recalls);
      await database.writeDerived((tx) => storeRecalls(tx, masked, { ...bounds, now }), {
        lockTimeoutMs: TIMEOUT_MS,
      });
    } catch (error) {
      if (!this.#hasWarned) logger.warn(`Recalls are not logged: ${messageOf(error)}`);
      this.#hasWarned = true;
    }
  }
}

async function maskRecalls(recalls: readonly DatedRecall[]): Promise<DatedRecall[]> {
  const { maskRecall } = await import("./mask-recall.ts");
  return Promise.all(recalls.map(maskRecall));
}
