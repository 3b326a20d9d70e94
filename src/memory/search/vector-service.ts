import { count, sql } from "drizzle-orm";
import type { Database, Tx } from "../../database/index.ts";
import { preparedQuery, rowQuery } from "../../database/index.ts";
import type { Embedder } from "../../embedding/index.ts";
import { sleep } from "../../shared/async.ts";
import { isCairnError, messageOf } from "../../shared/errors.ts";
import type { Logger } from "../../shared/logger.ts";
import { addRepairHint } from "./derived-damage.ts";
import {
  checkDimensions,
  checkPin,
  createPin,
  EMBEDDER_PIN,
  type EmbedderPin,
  isContextual,
  PinMismatch,
  parsePin,
} from "./embedder-pin.ts";
import { prepareQueryTokens, type QueryVectors, readQueries } from "./query-vectors.ts";
import { runBeforeDeadline } from "./run-before-deadline.ts";
import { pendingVectors } from "./search.table.ts";
import { type RecallWait, SharedBatch, type WaitingRecalls } from "./shared-batch.ts";
import { VectorBatches } from "./vector-batches.ts";
import { getVectorIndex } from "./vector-index.ts";
import type { ItemKey, VectorWork } from "./vector-work.ts";

interface VectorState {
  readonly pending: number;
  readonly pin: EmbedderPin | undefined;
}

const vectorState = rowQuery<[pending: number, pin: string | null]>(
  () => sql`select (select count(*) from pending_vectors where can_wait = 0), ${EMBEDDER_PIN}`,
);

const pendingCount = preparedQuery((tx) =>
  tx
    .select({ total: count() })
    .from(pendingVectors)
    .where(sql`${pendingVectors.canWait} <= ${sql.placeholder("canWait")}`)
    .prepare(),
);

const BATCHES_PER_COMMIT = 4;
const FIRST_BATCH_SIZE = 8;
const TIMEOUT_MS = 5_000;
const RECHECK_INTERVAL_MS = 20;
function isWaitedFor({ onlyUrgent, limit, deadline }: VectorWork): boolean {
  return onlyUrgent === true && limit !== undefined && deadline === undefined;
}

const MIN_BATCH_SIZE = 1;

/** Counts and computes missing vectors, queued in `pending_vectors`, and embeds queries. */
export class VectorService {
  readonly #database: () => Promise<Database>;
  readonly #embedder: Embedder | undefined;
  readonly #logger: Logger;
  readonly #batches: VectorBatches;
  readonly #shared = new SharedBatch();
  readonly #waiting: WaitingRecalls;
  #warned = false;
  #hasReportedShortcoming = false;

  constructor(parts: {
    database: () => Promise<Database>;
    embedder: Embedder | undefined;
    logger: Logger;
    waiting: WaitingRecalls;
  }) {
    this.#database = parts.database;
    this.#waiting = parts.waiting;
    this.#batches = new VectorBatches(parts.database);
    this.#embedder = parts.embedder;
    this.#logger = parts.logger;
  }

  /** False without an embedder; recall then uses only text and graph. */
  get enabled(): boolean {
    return this.#embedder !== undefined;
  }

  /** Explains why vector search is unavailable and the cure; undefined if it works. */
  async describeUnavailability(signal?: AbortSignal): Promise<string | undefined> {
    try {
      await this.#embedder?.embed(["Is there meaning?"], { signal });
      return undefined;
    } catch (error) {
      if (signal?.aborted === true || !isCairnError(error)) throw error;
      return messageOf(error);
    }
  }

  async countPending({ onlyUrgent = false }: Pick<VectorWork, "onlyUrgent"> = {}): Promise<number> {
    if (this.#embedder === undefined) return 0;
    const database = await this.#database();
    return addRepairHint("vectors", () =>
      database.read(async (tx) => {
        await this.#reportShortcoming(tx);
        const [row] = await pendingCount(tx).execute({ canWait: onlyUrgent ? 0 : 1 });
        return row?.total ?? 0;
      }),
    );
  }

  async readState(tx: Tx): Promise<VectorState | undefined> {
    if (this.#embedder === undefined) return { pending: 0, pin: undefined };
    try {
      const [row] = await vectorState(tx, {});
      await this.#reportShortcoming(tx);
      const pin = row?.[1] ?? undefined;
      return { pending: row?.[0] ?? 0, pin: pin === undefined ? undefined : parsePin(pin) };
    } catch {
      return undefined;
    }
  }

  /**
   * Computes missing vectors and returns how many remain. A failing embedder or damaged index logs
   * one warning. Throws conflict if the database is pinned to another embedder, and the signal's
   * reason on abort.
   */
  async makeMissing(work: VectorWork = {}): Promise<number> {
    try {
      return await this.#makeAll(work);
    } catch (error) {
      this.#warnOrThrow(error, work.signal);
      return MIN_BATCH_SIZE;
    }
  }

  /**
   * Computes these items' vectors in small batches, so that a deadline preserves partial results.
   * If another recall is waiting, ends after the shared time.
   */
  async makeFirst(items: readonly ItemKey[], work: VectorWork): Promise<void> {
    const embedder = this.#embedder;
    if (embedder === undefined || items.length === 0) return;
    const make = async () => {
      const database = await this.#database();
      if (!(await database.isCurrent())) return;
      await createPin(database, embedder);
      for (let start = 0; start < items.length; start += FIRST_BATCH_SIZE) {
        if (work.deadline?.isPast === true) return;
        const among = items.slice(start, start + FIRST_BATCH_SIZE);
        await this.#batches.make(embedder, () => among.length, { ...work, items });
      }
    };
    try {
      await this.#waiting.during((wait) => wait.for(make(), work.signal));
    } catch (error) {
      this.#warnOrThrow(error, work.signal);
    }
  }

  async #makeAll(work: VectorWork): Promise<number> {
    const embedder = this.#embedder;
    const total = await this.countPending(work);
    if (embedder === undefined || total === 0) return 0;
    const database = await this.#database();
    if (!(await database.isCurrent())) return total;
    await createPin(database, embedder);
    const target = Math.min(total, work.limit ?? total);
    try {
      if (isWaitedFor(work)) {
        await this.#waiting.during((wait) =>
          this.#waitFor(embedder, { requested: target, work, wait }),
        );
      } else {
        await this.#makeOwn(embedder, target, work);
      }
    } catch (error) {
      this.#warnOrThrow(error, work.signal);
    }
    const missing = await this.countPending(work);
    if (missing === 0 && work.limit === undefined && work.deadline === undefined) {
      await this.#refineIndex();
    }
    return missing;
  }

  async #makeOwn(embedder: Embedder, requested: number, work: VectorWork): Promise<void> {
    const batches = work.deadline === undefined ? BATCHES_PER_COMMIT : 1;
    const before = this.#batches.stored;
    let own = 0;
    const remaining = () =>
      requested - (work.limit === undefined ? own : this.#batches.stored - before);
    while (remaining() > 0) {
      work.signal?.throwIfAborted();
      if (work.deadline?.isPast === true) return;
      const limit = embedder.batchSize * batches;
      const created = await this.#batches.make(embedder, () => Math.min(limit, remaining()), work);
      own += created;
      work.onProgress?.({
        stage: "Making vectors",
        done: requested - Math.max(0, remaining()),
        total: requested,
      });
      if (created === 0) return;
    }
  }

  async #waitFor(
    embedder: Embedder,
    { requested, work, wait }: { requested: number; work: VectorWork; wait: RecallWait },
  ): Promise<void> {
    const limit = embedder.batchSize * BATCHES_PER_COMMIT;
    const deadline = performance.now() + TIMEOUT_MS;
    let goal = this.#batches.stored + requested;
    const left = () => goal - this.#batches.stored;
    const isComplete = async () => {
      if (left() > 0) return false;
      const pending = await this.countPending(work);
      goal = this.#batches.stored + Math.min(pending, requested);
      return pending === 0 || requested === work.limit || performance.now() > deadline;
    };
    const begin = async (signal: AbortSignal) => {
      const size = () => Math.min(limit, left());
      const created = await this.#batches.make(embedder, size, { onlyUrgent: true, signal });
      // Another process may be computing them.
      if (created === 0) await sleep(RECHECK_INTERVAL_MS, signal);
      return created;
    };
    while (!wait.isOver && !(await isComplete())) {
      const created = await this.#shared.wait(begin, { wait, signal: work.signal });
      work.signal?.throwIfAborted();
      work.onProgress?.({
        stage: "Making vectors",
        done: requested - Math.max(0, left()),
        total: requested,
      });
      if (created === undefined) return;
      if (created > 0 || left() <= 0) continue;
      if (performance.now() > deadline || (await this.countPending(work)) === 0) return;
    }
  }

  async #refineIndex(): Promise<void> {
    const database = await this.#database();
    const statements = await database.read(async (tx) => {
      const index = getVectorIndex(tx);
      return (await index.exists(tx)) ? index.refinements(tx) : [];
    });
    await database.refine(statements);
  }

  /** Warns once if the server lacks an optional feature of vector search. */
  async #reportShortcoming(tx: Tx): Promise<void> {
    if (this.#hasReportedShortcoming) return;
    this.#hasReportedShortcoming = true;
    const shortcoming = await getVectorIndex(tx).shortcoming(tx);
    if (shortcoming === "not known yet") this.#hasReportedShortcoming = false;
    else if (shortcoming !== undefined) this.#logger.warn(shortcoming.message);
  }

  /** Embeds search texts; undefined without a usable embedder or vectors, or after the deadline. */
  async embedQueries(
    texts: readonly string[],
    work: VectorWork & { readonly known?: EmbedderPin | undefined } = {},
  ): Promise<QueryVectors | undefined> {
    const embedder = this.#embedder;
    if (embedder === undefined) return undefined;
    checkPin(work.known, embedder.identity);
    const pin = work.known ?? (await createPin(await this.#database(), embedder));
    if (pin === undefined) return undefined;
    try {
      const created = await runBeforeDeadline(
        readQueries(embedder, texts, work.signal),
        work.deadline,
      );
      if (created === undefined) return undefined;
      checkDimensions(pin, created.vectors);
      const { vectors, reading } = created;
      return {
        vectors,
        background: pin.background,
        contextual: isContextual(pin),
        tokens: prepareQueryTokens(reading, pin.tokens),
      };
    } catch (error) {
      this.#warnOrThrow(error, work.signal);
      return undefined;
    }
  }

  /** Vectors are optional: recall works without them. */
  #warnOrThrow(error: unknown, signal: AbortSignal | undefined): void {
    if (signal?.aborted || error instanceof PinMismatch || !isCairnError(error)) throw error;
    if (this.#warned) return;
    this.#warned = true;
    const reason = messageOf(error).replace(/[^.!?]$/, "$&.");
    this.#logger.warn(`${reason} Recall continues with text and graph only.`);
  }
}
