import { and, count, eq, sql } from "drizzle-orm";
import { type Database, preparedQuery, rowQuery, type Tx } from "../../database/index.ts";
import {
  type Embedder,
  measureNoise,
  type Reading,
  type SimilarityBackground,
  signedReading,
  type TextInContext,
} from "../../embedding/index.ts";
import { sleep } from "../../kernel/abort.ts";
import type { Deadline } from "../../kernel/deadline.ts";
import { isCairnError, messageOf } from "../../kernel/errors.ts";
import type { Logger } from "../../kernel/logger.ts";
import { together } from "../../kernel/together.ts";
import type { Progress } from "../context/execute-options.ts";
import { INDEXED_KINDS } from "../context/indexed-kind.ts";
import { claimPending, type PendingItem } from "./claim-pending.ts";
import { mendable } from "./derived-damage.ts";
import {
  checkDimensions,
  checkPin,
  EMBEDDER_PIN,
  type EmbedderPin,
  holdPin,
  isContextual,
  PinMismatch,
  parsePin,
  readPin,
  writePin,
} from "./embedder-pin.ts";
import { loadSearchable } from "./load-searchable.ts";
import { loadPrecedingTexts } from "./preceding-text.ts";
import { readsContext } from "./reads-context.ts";
import { pendingVectors } from "./search.table.ts";
import { measureTokenBackground } from "./token-background.ts";
import { TokenQuery } from "./token-query.ts";
import { putVector, vectorIndexOf } from "./vector-index.ts";
import type { MadeVector } from "./vector-query.ts";

export interface VectorWork {
  /** The most items to process; default all. */
  readonly limit?: number | undefined;
  /** Skip items that have a vector already and would only get a better one. */
  readonly onlyUrgent?: boolean | undefined;
  /** Work that is not finished by then is left for later. */
  readonly deadline?: Deadline | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

export interface QueryVectors {
  /** L2-normalised, one for each text. */
  readonly vectors: readonly Float32Array[];
  readonly background: SimilarityBackground;
  /** Whether the stored vectors depend on the text before theirs. */
  readonly contextual: boolean;
  /** The tokens of the first text, if the embedder returns tokens. */
  readonly tokens: QueryTokens | undefined;
}

export interface QueryTokens {
  readonly query: TokenQuery;
  readonly background: SimilarityBackground;
}

interface PendingText extends TextInContext {
  readonly item: PendingItem;
}

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
      const made = await beforeDeadline(this.#readQueries(embedder, texts, work), work.deadline);
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

  async #readQueries(embedder: Embedder, texts: readonly string[], { signal }: VectorWork) {
    if (embedder.read === undefined) {
      const vectors = await embedder.embed(texts, { signal, role: "query" });
      return { vectors, reading: undefined };
    }
    const readings = await embedder.read(
      texts.map((text) => ({ text, before: "" })),
      { signal, role: "query" },
    );
    return { vectors: readings.map(({ vector }) => vector), reading: readings[0] };
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

async function nextBatch(
  tx: Tx,
  size: number,
  { onlyUrgent = false }: VectorWork,
): Promise<PendingText[]> {
  const items = await claimPending(tx, { size, onlyUrgent });
  const batch: PendingText[] = [];
  for (const kind of INDEXED_KINDS) {
    const ofKind = items.filter((item) => item.kind === kind);
    const texts = await loadSearchable(
      tx,
      kind,
      ofKind.map((item) => item.itemId),
    );
    const byNumber = new Map(texts.map((text) => [text.number, text.embeddingText]));
    const before = await loadPrecedingTexts(tx, kind, [...byNumber.keys()]);
    for (const item of ofKind) {
      const number = item.itemId;
      batch.push({ item, text: byNumber.get(number) ?? "", before: before.get(number) ?? "" });
    }
  }
  return batch;
}

/** The state of vectors as a read transaction finds it. */
export interface VectorState {
  /** Items that wait for a vector, without those that have one and would get a better one. */
  readonly pending: number;
  /** Undefined if nothing has a vector yet. */
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

interface MadeBatch {
  readonly vectors: readonly MadeVector[];
  readonly pin: EmbedderPin;
}

/**
 * Runs beside other writers, unless it stores the first vectors of the database or the first tokens of the
 * embedder.
 */
async function storeBatch(
  database: Database,
  batch: readonly PendingText[],
  { vectors, pin }: MadeBatch,
): Promise<void> {
  const store = async (tx: Tx) => {
    const stored = batch.map(async ({ item }, index) => {
      const vector = vectors[index];
      if (vector !== undefined) await storeVector(tx, item, vector);
    });
    await together(...stored);
  };
  const isStored = await database.writeDerived(async (tx) => {
    const held = await holdPin(tx);
    if (held === undefined || !isSettled(held, pin)) return false;
    // The index of a kind that was introduced after the database was made may not exist yet.
    if (!(await vectorIndexOf(tx).exists(tx))) return false;
    checkPin(held, pin.identity);
    await store(tx);
    return true;
  });
  if (isStored) return;
  await database.write(async (tx) => {
    await pinEmbedder(tx, pin);
    await store(tx);
  });
}

/** Whether the pin contains all that is known by now. */
function isSettled(pin: EmbedderPin, made: EmbedderPin): boolean {
  return pin.tokens !== undefined || made.tokens === undefined;
}

/** Another process may have pinned the database in the meantime. */
async function pinEmbedder(tx: Tx, pin: EmbedderPin): Promise<void> {
  const known = await readPin(tx);
  checkPin(known, pin.identity);
  await vectorIndexOf(tx).create(tx, pin.dimensions);
  if (known === undefined || known.tokens === undefined) await writePin(tx, pin);
}

/** Stores the vector unless the item was changed or deleted after its text was read. */
async function storeVector(tx: Tx, item: PendingItem, vector: MadeVector): Promise<void> {
  const { kind, itemId, revision } = item;
  const current = await deleteRequest(tx).execute({ kind, itemId, revision });
  if (current.length === 1) await putVector(tx, { kind, number: itemId }, vector);
}

async function embedTexts(
  embedder: Embedder,
  texts: readonly TextInContext[],
  signal: AbortSignal,
): Promise<MadeVector[]> {
  if (embedder.readMany !== undefined) {
    const readings = await embedder.readMany(texts, { signal });
    return readings.map(({ vector, signs }) => ({ vector, tokens: signs }));
  }
  if (embedder.read === undefined) {
    const plain = texts.map(({ text }) => text);
    const vectors = await embedder.embed(plain, { signal });
    return vectors.map((vector) => ({ vector, tokens: undefined }));
  }
  const readings = await embedder.read(texts, { signal });
  return readings.map((reading) => ({
    vector: reading.vector,
    tokens: signedReading(reading).signs,
  }));
}

function queryTokens(
  reading: Reading | undefined,
  background: SimilarityBackground | undefined,
): QueryTokens | undefined {
  if (reading === undefined || background === undefined) return undefined;
  return { query: new TokenQuery(reading), background };
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
  deadline: Deadline | undefined,
): Promise<T | undefined> {
  if (deadline === undefined) return work;
  const stop = new AbortController();
  try {
    const timeUp = sleep(deadline.left, stop.signal).then(() => undefined);
    work.catch(() => undefined);
    timeUp.catch(() => undefined);
    return await Promise.race([work, timeUp]);
  } finally {
    stop.abort();
  }
}
