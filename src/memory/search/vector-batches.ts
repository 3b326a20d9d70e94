import { and, desc, eq, type SQL, sql } from "drizzle-orm";
import type { Database } from "../../database/index.ts";
import { claimRows, listOfRows, preparedQuery, rowSet, type Tx } from "../../database/index.ts";
import {
  type Embedder,
  type EmbedOptions,
  measureBackground,
  signedReading,
  type TextInContext,
  UNRELATED_SENTENCES,
} from "../../embedding/index.ts";
import { settleAll } from "../../shared/async.ts";
import { INDEXED_KINDS, type IndexedKind } from "../context/indexed-kind.ts";
import { addRepairHint } from "./derived-damage.ts";
import {
  checkDimensions,
  checkPin,
  createPin,
  type EmbedderPin,
  lockPin,
  readPin,
  writePin,
} from "./embedder-pin.ts";
import { measureTokenBackground } from "./query-vectors.ts";
import { loadPrecedingTexts } from "./renew-vectors.ts";
import { runBeforeDeadline } from "./run-before-deadline.ts";
import { pendingVectors } from "./search.table.ts";
import { loadSearchable } from "./text-query.ts";
import { getVectorIndex, putVector } from "./vector-index.ts";
import type { ComputedVector } from "./vector-query.ts";
import type { ItemKey, VectorWork } from "./vector-work.ts";

interface PendingItem {
  readonly kind: IndexedKind;
  readonly itemId: number;
  readonly revision: number;
}

/** Pending items examined for unclaimed ones, far more than processes claim. */
const MAX_EXAMINED = 10_000;

/**
 * Claims items without a vector that no other process is working on, most urgent first: memory
 * before passages, which an import adds by the thousand, and newest first. Must run in
 * `Database.claim`.
 */
async function claimPending(
  tx: Tx,
  { size, onlyUrgent, items }: BatchClaim & { readonly onlyUrgent: boolean },
): Promise<PendingItem[]> {
  const claimed: PendingItem[] = [];
  const take = async (condition: SQL) => {
    const left = size - claimed.length;
    if (left > 0) claimed.push(...(await claimNewest(tx, condition, { size: left, items })));
  };
  await take(sql`can_wait = 0 and kind in ('episode', 'concept')`);
  await take(sql`can_wait = 0 and kind = 'passage'`);
  if (!onlyUrgent) await take(sql`can_wait = 1`);
  return claimed;
}

interface BatchClaim {
  readonly size: number;
  readonly items: readonly ItemKey[] | undefined;
}

async function claimNewest(
  tx: Tx,
  condition: SQL,
  { size, items }: BatchClaim,
): Promise<PendingItem[]> {
  const isAmong =
    items === undefined ? sql`true` : sql`(kind, item_id) in (${createKeySet(items)})`;
  const claimed = await tx.all<{ kind: IndexedKind; item_id: number }>(sql`
    select kind, item_id from (
      select kind, item_id from pending_vectors where ${condition} and ${isAmong}
      order by item_id desc limit ${MAX_EXAMINED}
    ) as waiting where ${claimRows(sql`kind`, sql`item_id`)} limit ${size}`);
  if (claimed.length === 0) return [];
  const keys = claimed.map(({ kind, item_id: itemId }) => ({ kind, itemId }));
  // Another process may have stored the vector since this statement began.
  return tx
    .select()
    .from(pendingVectors)
    .where(sql`(${pendingVectors.kind}, ${pendingVectors.itemId}) in (${createKeySet(keys)})`)
    .orderBy(desc(pendingVectors.itemId));
}

export async function selectMissingVectors(tx: Tx, keys: readonly ItemKey[]): Promise<ItemKey[]> {
  if (keys.length === 0) return [];
  const rows = await tx
    .select({ kind: pendingVectors.kind, itemId: pendingVectors.itemId })
    .from(pendingVectors)
    .where(
      sql`${pendingVectors.canWait} = 0 and (${pendingVectors.kind}, ${pendingVectors.itemId}) in (${createKeySet(keys)})`,
    );
  const waiting = new Set(rows.map(({ kind, itemId }) => `${kind} ${itemId}`));
  return keys.filter(({ kind, itemId }) => waiting.has(`${kind} ${itemId}`));
}

function createKeySet(keys: readonly ItemKey[]): SQL {
  const rows = listOfRows(keys.map(({ kind, itemId }) => [kind, itemId]));
  return rowSet(rows, { kind: "text", item_id: "number" });
}

interface ComputedBatch {
  readonly vectors: readonly ComputedVector[];
  readonly pin: EmbedderPin;
}

async function storeBatch(
  database: Database,
  batch: readonly PendingText[],
  { vectors, pin }: ComputedBatch,
): Promise<void> {
  const store = async (tx: Tx) => {
    const stored = batch.map(async ({ item }, index) => {
      const vector = vectors[index];
      if (vector !== undefined) await storeVector(tx, item, vector);
    });
    await settleAll(...stored);
  };
  const isStored = await database.writeDerived(async (tx) => {
    const stored = await lockPin(tx);
    if (stored === undefined || !isSettled(stored, pin)) return false;
    // The index is missing for kinds newer than the database.
    if (!(await getVectorIndex(tx).exists(tx))) return false;
    checkPin(stored, pin.identity);
    await store(tx);
    return true;
  });
  if (isStored) return;
  await database.write(async (tx) => {
    await pinEmbedder(tx, pin);
    await store(tx);
  });
}

function isSettled(pin: EmbedderPin, created: EmbedderPin): boolean {
  return pin.tokens !== undefined || created.tokens === undefined;
}

/** Another process may have pinned the database in the meantime. */
async function pinEmbedder(tx: Tx, pin: EmbedderPin): Promise<void> {
  const known = await readPin(tx);
  checkPin(known, pin.identity);
  await getVectorIndex(tx).create(tx, pin.dimensions);
  if (known === undefined || known.tokens === undefined) await writePin(tx, pin);
}

/** Stores the vector unless the item changed after its text was read. */
async function storeVector(tx: Tx, item: PendingItem, vector: ComputedVector): Promise<void> {
  const { kind, itemId, revision } = item;
  const current = await deleteRequest(tx).execute({ kind, itemId, revision });
  if (current.length === 1) await putVector(tx, { kind, number: itemId }, vector);
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

/** Computes pending vectors in batches: claim, embed outside a transaction, store. */
export class VectorBatches {
  readonly #database: () => Promise<Database>;
  #turn: Promise<unknown> = Promise.resolve();
  #stored = 0;

  constructor(database: () => Promise<Database>) {
    this.#database = database;
  }

  get stored(): number {
    return this.#stored;
  }

  /**
   * Processes one batch and returns its size; 0 if nothing is pending or the time limit was
   * reached. Batches run one at a time, since two would compute the same vectors.
   */
  make(embedder: Embedder, countMissing: () => number, work: VectorWork): Promise<number> {
    const before = this.#turn;
    const turn = runBeforeDeadline(
      before.then(() => true),
      work.deadline,
    );
    const created = turn.then((isMine) => {
      const size = countMissing();
      return isMine && size > 0 ? this.#makeNext(embedder, size, work) : 0;
    });
    this.#turn = Promise.allSettled([before, created]);
    return created;
  }

  async #makeNext(embedder: Embedder, size: number, work: VectorWork): Promise<number> {
    const database = await this.#database();
    const created = database.claim(
      (tx) => takeNextBatch(tx, size, work),
      (batch) => this.#makeVectors(embedder, { database, batch }, work),
    );
    return (await runBeforeDeadline(created, work.deadline)) ?? 0;
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
    const created = await runBeforeDeadline(
      this.#embedBatch(embedder, batch, signal),
      work.deadline,
    );
    stop.abort();
    if (created === undefined) return 0;
    // Vectors are stored even if the caller stopped waiting.
    const stored = addRepairHint("vectors", () => storeBatch(database, batch, created)).then(() => {
      this.#stored += batch.length;
      return batch.length;
    });
    return (await runBeforeDeadline(stored, work.deadline)) ?? 0;
  }

  async #embedBatch(embedder: Embedder, texts: readonly TextInContext[], signal: AbortSignal) {
    const vectors = await embedTexts(embedder, texts, signal);
    const plain = vectors.map(({ vector }) => vector);
    const pin = await this.#measurePin(embedder, vectors, signal);
    checkDimensions(pin, plain);
    return { vectors, pin };
  }

  /** Returns the database's pin or the one it will get. The first caller measures the noise. */
  async #measurePin(
    embedder: Embedder,
    created: readonly ComputedVector[],
    signal: AbortSignal,
  ): Promise<EmbedderPin> {
    const known = await createPin(await this.#database(), embedder);
    const tellsTokens = created.some(({ tokens }) => tokens !== undefined);
    if (known !== undefined && (known.tokens !== undefined || !tellsTokens)) return known;
    return {
      identity: embedder.identity,
      dimensions: known?.dimensions ?? created[0]?.vector.length ?? 0,
      background: known?.background ?? (await measureBackground(embedder, { signal })),
      tokens: await measureTokenBackground(embedder, { signal }),
      contextual: await readsContext(embedder, { signal }),
    };
  }
}

/**
 * Returns true if a text's vector depends on preceding text. Measured, because a server returns
 * only vectors, and a local model's pooling may be unable to separate a text from its context.
 */
async function readsContext(embedder: Embedder, options: EmbedOptions = {}): Promise<boolean> {
  const [text = "", before = ""] = UNRELATED_SENTENCES;
  const readings = await embedder.read?.(
    [
      { text, before: "" },
      { text, before },
    ],
    options,
  );
  const [alone, after] = readings ?? [];
  return alone?.vector.some((value, index) => value !== after?.vector[index]) ?? false;
}

async function embedTexts(
  embedder: Embedder,
  texts: readonly TextInContext[],
  signal: AbortSignal,
): Promise<ComputedVector[]> {
  if (embedder.readMany !== undefined) {
    const readings = await embedder.readMany(texts, { signal });
    return readings.map(({ vector, signBits }) => ({ vector, tokens: signBits }));
  }
  if (embedder.read === undefined) {
    const plain = texts.map(({ text }) => text);
    const vectors = await embedder.embed(plain, { signal });
    return vectors.map((vector) => ({ vector, tokens: undefined }));
  }
  const readings = await embedder.read(texts, { signal });
  return readings.map((reading) => ({
    vector: reading.vector,
    tokens: signedReading(reading).signBits,
  }));
}

interface PendingText extends TextInContext {
  readonly item: PendingItem;
}

async function takeNextBatch(
  tx: Tx,
  size: number,
  { onlyUrgent = false, items: requested }: VectorWork,
): Promise<PendingText[]> {
  const items = await claimPending(tx, { size, onlyUrgent, items: requested });
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
