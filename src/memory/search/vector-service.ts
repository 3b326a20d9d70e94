import { and, asc, count, eq, sql } from "drizzle-orm";
import { type Database, preparedQuery, type Tx } from "../../database/index.ts";
import { type Embedder, measureNoise, type SimilarityBackground } from "../../embedding/index.ts";
import { sleep } from "../../kernel/abort.ts";
import { isCairnError, messageOf } from "../../kernel/errors.ts";
import type { Logger } from "../../kernel/logger.ts";
import type { Progress } from "../context/execute-options.ts";
import { INDEXED_KINDS, type IndexedKind } from "../context/indexed-kind.ts";
import { mendable } from "./derived-damage.ts";
import {
  checkDimensions,
  checkPin,
  type EmbedderPin,
  PinMismatch,
  readPin,
  writePin,
} from "./embedder-pin.ts";
import { loadSearchable } from "./load-searchable.ts";
import { pendingVectors } from "./search.table.ts";
import { createVectorIndex, putVector } from "./vector-index.ts";

export interface VectorWork {
  /** At most this many items; default all. */
  readonly limit?: number | undefined;
  /** Milliseconds since 1970 after which no further batch is begun. */
  readonly deadline?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

export interface QueryVectors {
  /** L2-normalised, one for each text. */
  readonly vectors: readonly Float32Array[];
  readonly background: SimilarityBackground;
}

interface PendingItem {
  readonly kind: IndexedKind;
  readonly itemId: number;
  readonly revision: number;
}

const BATCHES_PER_COMMIT = 4;
/** What is said of the vectors that are missing when they cannot be counted. */
const AT_LEAST_ONE = 1;

/**
 * Makes the vectors that are missing, outside of any transaction, and stores each batch in a short
 * one. What is interrupted is taken up by the next call: `pending_vectors` is the only queue.
 */
export class VectorService {
  readonly #database: () => Promise<Database>;
  readonly #embedder: Embedder | undefined;
  readonly #logger: Logger;
  #warned = false;

  constructor(parts: {
    database: () => Promise<Database>;
    embedder: Embedder | undefined;
    logger: Logger;
  }) {
    this.#database = parts.database;
    this.#embedder = parts.embedder;
    this.#logger = parts.logger;
  }

  /** False when no embedder is configured: recall works on text and graph. */
  get enabled(): boolean {
    return this.#embedder !== undefined;
  }

  /** How many items wait for a vector; 0 without an embedder. */
  async countPending(): Promise<number> {
    if (this.#embedder === undefined) return 0;
    const database = await this.#database();
    return mendable("vectors", () =>
      database.read(async (tx) => {
        const [row] = await pendingCount(tx).execute();
        return row?.total ?? 0;
      }),
    );
  }

  /**
   * Makes missing vectors; returns how many are still missing. A failing embedder or a damaged index
   * is warned of once and leaves them missing. Throws conflict when the database is pinned to another embedder, and
   * the signal's reason when aborted.
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
    const total = await this.countPending();
    if (embedder === undefined || total === 0) return 0;
    await this.#pinnedOrThrow(embedder);
    const wanted = Math.min(total, work.limit ?? total);
    let done = 0;
    try {
      while (done < wanted) {
        work.signal?.throwIfAborted();
        if (work.deadline !== undefined && Date.now() >= work.deadline) break;
        const size = Math.min(embedder.batchSize * BATCHES_PER_COMMIT, wanted - done);
        const made = await this.#makeBatch(embedder, size, work);
        if (made === 0) break;
        done += made;
        work.onProgress?.({ stage: "Making vectors", done, total: wanted });
      }
    } catch (error) {
      this.#warnOrThrow(error, work.signal);
    }
    return this.countPending();
  }

  /**
   * Texts as vectors to search with; undefined without an embedder, when it fails (warned of once),
   * when nothing has a vector yet, or when the deadline passes first.
   */
  async embedQueries(
    texts: readonly string[],
    work: VectorWork = {},
  ): Promise<QueryVectors | undefined> {
    const embedder = this.#embedder;
    if (embedder === undefined) return undefined;
    const pin = await this.#pinnedOrThrow(embedder);
    if (pin === undefined) return undefined;
    try {
      const made = await beforeDeadline(
        embedder.embed(texts, { signal: work.signal }),
        work.deadline,
      );
      if (made === undefined) return undefined;
      checkDimensions(pin, made);
      return { vectors: made, background: pin.background };
    } catch (error) {
      this.#warnOrThrow(error, work.signal);
      return undefined;
    }
  }

  /** How many were made; 0 when nothing waits or time is up. */
  async #makeBatch(embedder: Embedder, size: number, work: VectorWork): Promise<number> {
    const database = await this.#database();
    const batch = await database.read((tx) => this.#nextBatch(tx, size));
    if (batch.length === 0) return 0;
    const stop = new AbortController();
    const signal =
      work.signal === undefined ? stop.signal : AbortSignal.any([work.signal, stop.signal]);
    const texts = batch.map(({ text }) => text);
    const made = await beforeDeadline(this.#embedBatch(embedder, texts, signal), work.deadline);
    stop.abort();
    if (made === undefined) return 0;
    const store = async (tx: Tx) => {
      await pinEmbedder(tx, made.pin);
      for (const [index, { item }] of batch.entries()) {
        const vector = made.vectors[index];
        if (vector !== undefined) await storeVector(tx, item, vector);
      }
    };
    await mendable("vectors", () => database.write(store));
    return batch.length;
  }

  async #embedBatch(embedder: Embedder, texts: readonly string[], signal: AbortSignal) {
    const vectors = await embedder.embed(texts, { signal });
    const pin = await this.#measurePin(embedder, vectors[0], signal);
    checkDimensions(pin, vectors);
    return { vectors, pin };
  }

  async #nextBatch(tx: Tx, size: number): Promise<{ item: PendingItem; text: string }[]> {
    const items = await tx
      .select()
      .from(pendingVectors)
      .orderBy(asc(pendingVectors.itemId))
      .limit(size);
    const batch: { item: PendingItem; text: string }[] = [];
    for (const kind of INDEXED_KINDS) {
      const ofKind = items.filter((item) => item.kind === kind);
      const texts = await loadSearchable(
        tx,
        kind,
        ofKind.map((item) => item.itemId),
      );
      const byNumber = new Map(texts.map((text) => [text.number, text.embeddingText]));
      for (const item of ofKind) batch.push({ item, text: byNumber.get(item.itemId) ?? "" });
    }
    return batch;
  }

  /** The pin of this database, or what it will be. The noise is measured once, by the first. */
  async #measurePin(
    embedder: Embedder,
    vector: Float32Array | undefined,
    signal: AbortSignal,
  ): Promise<EmbedderPin> {
    const known = await this.#pinnedOrThrow(embedder);
    if (known !== undefined) return known;
    return {
      identity: embedder.identity,
      dimensions: vector?.length ?? 0,
      background: await measureNoise(embedder, { signal }),
    };
  }

  async #pinnedOrThrow(embedder: Embedder): Promise<EmbedderPin | undefined> {
    const database = await this.#database();
    const pin = await database.read((tx) => readPin(tx));
    checkPin(pin, embedder.identity);
    return pin;
  }

  /** Vectors can wait: recall goes on without them, be it the model or the file that fails. */
  #warnOrThrow(error: unknown, signal: AbortSignal | undefined): void {
    if (signal?.aborted || error instanceof PinMismatch || !isCairnError(error)) throw error;
    if (this.#warned) return;
    this.#warned = true;
    this.#logger.warn(`${messageOf(error)} Recall goes on with text and graph alone.`);
  }
}

const pendingCount = preparedQuery((tx) =>
  tx.select({ total: count() }).from(pendingVectors).prepare(),
);

/** Another process may have pinned the database meanwhile. */
async function pinEmbedder(tx: Tx, pin: EmbedderPin): Promise<void> {
  const known = await readPin(tx);
  checkPin(known, pin.identity);
  if (known !== undefined) return;
  await createVectorIndex(tx, pin.dimensions);
  await writePin(tx, pin);
}

/** Stores the vector unless the text changed, or the item was deleted, after it was read. */
async function storeVector(tx: Tx, item: PendingItem, vector: Float32Array): Promise<void> {
  const { kind, itemId, revision } = item;
  const current = await deleteRequest(tx).execute({ kind, itemId, revision });
  if (current.length === 1) await putVector(tx, { kind: item.kind, number: item.itemId }, vector);
}

const deleteRequest = preparedQuery((tx) =>
  tx
    .delete(pendingVectors)
    .where(
      and(
        eq(pendingVectors.kind, sql.placeholder("kind")),
        eq(pendingVectors.itemId, sql.placeholder("itemId")),
        eq(pendingVectors.revision, sql.placeholder("revision")),
      ),
    )
    .returning({ itemId: pendingVectors.itemId })
    .prepare(),
);

async function beforeDeadline<T>(
  work: Promise<T>,
  deadline: number | undefined,
): Promise<T | undefined> {
  if (deadline === undefined) return work;
  const stop = new AbortController();
  try {
    const timeUp = sleep(Math.max(0, deadline - Date.now()), stop.signal).then(() => undefined);
    work.catch(() => undefined);
    timeUp.catch(() => undefined);
    return await Promise.race([work, timeUp]);
  } finally {
    stop.abort();
  }
}
