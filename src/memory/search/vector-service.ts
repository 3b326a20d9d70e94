import type { Database, Tx } from "../../database/index.ts";
import { type Embedder, measureNoise, type TextInContext } from "../../embedding/index.ts";
import { sleep } from "../../kernel/abort.ts";
import { isCairnError, messageOf } from "../../kernel/errors.ts";
import type { Logger } from "../../kernel/logger.ts";
import { beforeDeadline } from "./before-deadline.ts";
import { mendable } from "./derived-damage.ts";
import { embedTexts } from "./embed-texts.ts";
import {
  checkDimensions,
  checkPin,
  type EmbedderPin,
  isContextual,
  PinMismatch,
  parsePin,
  readPin,
} from "./embedder-pin.ts";
import { nextBatch, type PendingText } from "./pending-batch.ts";
import { type QueryVectors, queryTokens, readQueries } from "./query-vectors.ts";
import { readsContext } from "./reads-context.ts";
import { storeBatch } from "./store-batch.ts";
import { measureTokenBackground } from "./token-background.ts";
import { vectorIndexOf } from "./vector-index.ts";
import type { MadeVector } from "./vector-query.ts";
import { pendingCount, type VectorState, vectorState } from "./vector-state.ts";
import type { VectorWork } from "./vector-work.ts";

const BATCHES_PER_COMMIT = 4;
/** How long a search waits for vectors that another process is making. */
const PATIENCE_MS = 5_000;
const LOOK_AGAIN_MS = 20;
/** The number of missing vectors that is reported if they cannot be counted. */
const AT_LEAST_ONE = 1;

/**
 * Makes missing vectors outside of any transaction and stores each batch in a short one. Interrupted work is
 * continued by the next call: `pending_vectors` is the only queue.
 */
export class VectorService {
  readonly #database: () => Promise<Database>;
  readonly #embedder: Embedder | undefined;
  readonly #logger: Logger;
  /** Settles when the current batch ends. */
  #turn: Promise<unknown> = Promise.resolve();
  /** How many vectors were stored so far. */
  #made = 0;
  #warned = false;
  #toldShortcoming = false;

  constructor(parts: {
    database: () => Promise<Database>;
    embedder: Embedder | undefined;
    logger: Logger;
  }) {
    this.#database = parts.database;
    this.#embedder = parts.embedder;
    this.#logger = parts.logger;
  }

  /** False if no embedder is configured; recall then uses text and graph only. */
  get enabled(): boolean {
    return this.#embedder !== undefined;
  }

  /** Why search by meaning does not work, and the cure; undefined if it works. */
  async whatIsMissing(signal?: AbortSignal): Promise<string | undefined> {
    try {
      await this.#embedder?.embed(["Is there meaning?"], { signal });
      return undefined;
    } catch (error) {
      if (signal?.aborted === true || !isCairnError(error)) throw error;
      return messageOf(error);
    }
  }

  /** How many items wait for a vector; 0 without an embedder. */
  async countPending({ onlyUrgent = false }: Pick<VectorWork, "onlyUrgent"> = {}): Promise<number> {
    if (this.#embedder === undefined) return 0;
    const database = await this.#database();
    return mendable("vectors", () =>
      database.read(async (tx) => {
        await this.#tellShortcoming(tx);
        const [row] = await pendingCount(tx).execute({ canWait: onlyUrgent ? 0 : 1 });
        return row?.total ?? 0;
      }),
    );
  }

  /**
   * What a search needs to know first, in one statement. Undefined if it cannot be read; the next request
   * then reports why.
   */
  async readState(tx: Tx): Promise<VectorState | undefined> {
    if (this.#embedder === undefined) return { pending: 0, pin: undefined };
    try {
      const [row] = await vectorState(tx, {});
      await this.#tellShortcoming(tx);
      const pin = row?.[1] ?? undefined;
      return { pending: row?.[0] ?? 0, pin: pin === undefined ? undefined : parsePin(pin) };
    } catch {
      return undefined;
    }
  }

  /**
   * Makes missing vectors and returns how many are still missing. A failing embedder or a damaged index
   * causes one warning and leaves them missing. Throws conflict if the database is pinned to another
   * embedder, and the signal's reason when aborted.
   */
  async makeMissing(work: VectorWork = {}): Promise<number> {
    try {
      return await this.#makeAll(work);
    } catch (error) {
      this.#warnOrThrow(error, work.signal);
      return AT_LEAST_ONE;
    }
  }

  async #makeAll(work: VectorWork): Promise<number> {
    const embedder = this.#embedder;
    const total = await this.countPending(work);
    if (embedder === undefined || total === 0) return 0;
    await this.#pinnedOrThrow(embedder);
    const wanted = Math.min(total, work.limit ?? total);
    const patience = performance.now() + PATIENCE_MS;
    const before = this.#made;
    let own = 0;
    // Several recalls that wait for some vectors each wait for the same ones, whoever makes them.
    const left = () => wanted - (work.limit === undefined ? own : this.#made - before);
    try {
      while (left() > 0) {
        work.signal?.throwIfAborted();
        if (work.deadline?.isPast === true) break;
        const batches = work.deadline === undefined ? BATCHES_PER_COMMIT : 1;
        const most = embedder.batchSize * batches;
        const made = await this.#makeBatch(embedder, () => Math.min(most, left()), work);
        own += made;
        const done = Math.min(wanted - left(), wanted);
        work.onProgress?.({ stage: "Making vectors", done, total: wanted });
        if (left() <= 0) break;
        if (made === 0 && !(await this.#othersMakeThem(work, patience))) break;
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

  /** Whether a caller that waits for vectors should check again because another process is making them. */
  async #othersMakeThem(work: VectorWork, patience: number): Promise<boolean> {
    const isWaitedFor = work.onlyUrgent === true && work.deadline === undefined;
    if (!isWaitedFor || performance.now() > patience) return false;
    if ((await this.countPending(work)) === 0) return false;
    await sleep(LOOK_AGAIN_MS, work.signal);
    return true;
  }

  /** Runs slow work that makes searches faster, once all vectors exist. */
  async #refineIndex(): Promise<void> {
    const database = await this.#database();
    const statements = await database.read(async (tx) => {
      const index = vectorIndexOf(tx);
      return (await index.exists(tx)) ? index.refinements(tx) : [];
    });
    await database.refine(statements);
  }

  /** Warns once if search by meaning lacks something that the server could provide. */
  async #tellShortcoming(tx: Tx): Promise<void> {
    if (this.#toldShortcoming) return;
    this.#toldShortcoming = true;
    const shortcoming = await vectorIndexOf(tx).shortcoming(tx);
    if (shortcoming === "not known yet") this.#toldShortcoming = false;
    else if (shortcoming !== undefined) this.#logger.warn(shortcoming.message);
  }

  /**
   * Vectors of texts to search with. Undefined without an embedder, if it fails (one warning), if no item has
   * a vector yet, or if the deadline passes first.
   */
  async embedQueries(
    texts: readonly string[],
    work: VectorWork & { readonly known?: EmbedderPin | undefined } = {},
  ): Promise<QueryVectors | undefined> {
    const embedder = this.#embedder;
    if (embedder === undefined) return undefined;
    checkPin(work.known, embedder.identity);
    const pin = work.known ?? (await this.#pinnedOrThrow(embedder));
    if (pin === undefined) return undefined;
    try {
      const made = await beforeDeadline(readQueries(embedder, texts, work.signal), work.deadline);
      if (made === undefined) return undefined;
      checkDimensions(pin, made.vectors);
      const { vectors, reading } = made;
      return {
        vectors,
        background: pin.background,
        contextual: isContextual(pin),
        tokens: queryTokens(reading, pin.tokens),
      };
    } catch (error) {
      this.#warnOrThrow(error, work.signal);
      return undefined;
    }
  }

  /**
   * Makes one batch and returns its size; 0 if nothing waits or time is up. Only one runs at a time, since
   * two would make the same vectors.
   */
  #makeBatch(embedder: Embedder, wanted: () => number, work: VectorWork): Promise<number> {
    const before = this.#turn;
    const turn = beforeDeadline(
      before.then(() => true),
      work.deadline,
    );
    const made = turn.then((isMine) => {
      const size = wanted();
      return isMine && size > 0 ? this.#makeNextBatch(embedder, size, work) : 0;
    });
    this.#turn = Promise.allSettled([before, made]);
    return made;
  }

  async #makeNextBatch(embedder: Embedder, size: number, work: VectorWork): Promise<number> {
    const database = await this.#database();
    const made = database.claim(
      (tx) => nextBatch(tx, size, work),
      (batch) => this.#makeVectors(embedder, { database, batch }, work),
    );
    return (await beforeDeadline(made, work.deadline)) ?? 0;
  }

  async #makeVectors(
    embedder: Embedder,
    { database, batch }: { readonly database: Database; readonly batch: readonly PendingText[] },
    work: VectorWork,
  ): Promise<number> {
    if (batch.length === 0) return 0;
    const stop = new AbortController();
    const signal =
      work.signal === undefined ? stop.signal : AbortSignal.any([work.signal, stop.signal]);
    const made = await beforeDeadline(this.#embedBatch(embedder, batch, signal), work.deadline);
    stop.abort();
    if (made === undefined) return 0;
    // The vectors are stored even if the caller stops waiting, and even after waiting for another process's
    // write.
    const stored = mendable("vectors", () => storeBatch(database, batch, made)).then(() => {
      this.#made += batch.length;
      return batch.length;
    });
    return (await beforeDeadline(stored, work.deadline)) ?? 0;
  }

  async #embedBatch(embedder: Embedder, texts: readonly TextInContext[], signal: AbortSignal) {
    const vectors = await embedTexts(embedder, texts, signal);
    const plain = vectors.map(({ vector }) => vector);
    const pin = await this.#measurePin(embedder, vectors, signal);
    checkDimensions(pin, plain);
    return { vectors, pin };
  }

  /** The pin of this database, or the one it will get. The first caller measures the noise, once. */
  async #measurePin(
    embedder: Embedder,
    made: readonly MadeVector[],
    signal: AbortSignal,
  ): Promise<EmbedderPin> {
    const known = await this.#pinnedOrThrow(embedder);
    const tellsTokens = made.some(({ tokens }) => tokens !== undefined);
    if (known !== undefined && (known.tokens !== undefined || !tellsTokens)) return known;
    return {
      identity: embedder.identity,
      dimensions: known?.dimensions ?? made[0]?.vector.length ?? 0,
      background: known?.background ?? (await measureNoise(embedder, { signal })),
      tokens: await measureTokenBackground(embedder, { signal }),
      contextual: await readsContext(embedder, { signal }),
    };
  }

  async #pinnedOrThrow(embedder: Embedder): Promise<EmbedderPin | undefined> {
    const database = await this.#database();
    const pin = await database.read((tx) => readPin(tx));
    checkPin(pin, embedder.identity);
    return pin;
  }

  /** Vectors can wait: recall works without them, whether the model or the file fails. */
  #warnOrThrow(error: unknown, signal: AbortSignal | undefined): void {
    if (signal?.aborted || error instanceof PinMismatch || !isCairnError(error)) throw error;
    if (this.#warned) return;
    this.#warned = true;
    const reason = messageOf(error).replace(/[^.!?]$/, "$&.");
    this.#logger.warn(`${reason} Recall goes on with text and graph alone.`);
  }
}
