import type { Database } from "../../database/index.ts";
import { type Embedder, measureNoise, type TextInContext } from "../../embedding/index.ts";
import { beforeDeadline } from "./before-deadline.ts";
import { mendable } from "./derived-damage.ts";
import { embedTexts } from "./embed-texts.ts";
import { checkDimensions, type EmbedderPin, pinFor } from "./embedder-pin.ts";
import { nextBatch, type PendingText } from "./pending-batch.ts";
import { readsContext } from "./reads-context.ts";
import { storeBatch } from "./store-batch.ts";
import { measureTokenBackground } from "./token-background.ts";
import type { MadeVector } from "./vector-query.ts";
import type { VectorWork } from "./vector-work.ts";

/** Makes vectors for texts that wait, batch by batch: claim, embed outside of a transaction, store. */
export class VectorBatches {
  readonly #database: () => Promise<Database>;
  /** Settles when the current batch ends. */
  #turn: Promise<unknown> = Promise.resolve();
  #stored = 0;

  constructor(database: () => Promise<Database>) {
    this.#database = database;
  }

  /** Number of vectors were stored so far. */
  get stored(): number {
    return this.#stored;
  }

  /**
   * Makes one batch and returns its size; 0 if nothing waits or time is up. Only one runs at a time, since
   * two would make the same vectors.
   */
  make(embedder: Embedder, wanted: () => number, work: VectorWork): Promise<number> {
    const before = this.#turn;
    const turn = beforeDeadline(
      before.then(() => true),
      work.deadline,
    );
    const made = turn.then((isMine) => {
      const size = wanted();
      return isMine && size > 0 ? this.#makeNext(embedder, size, work) : 0;
    });
    this.#turn = Promise.allSettled([before, made]);
    return made;
  }

  async #makeNext(embedder: Embedder, size: number, work: VectorWork): Promise<number> {
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
      this.#stored += batch.length;
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
    const known = await pinFor(await this.#database(), embedder);
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
}
