import { randomInt } from "node:crypto";
import { type SQL, sql } from "drizzle-orm";
import {
  insertRows,
  listOfValues,
  numbersParameter,
  orderedJoin,
  rowQuery,
  type Tx,
} from "../../database/index.ts";
import { forEachBatch } from "../../shared/async.ts";
import { INDEXED_KINDS, type IndexedKind } from "../context/indexed-kind.ts";
import { isTurn } from "../episodes/episode-types.ts";
import { ITEM_TABLES } from "./by-kind.ts";
import { pendingVectors } from "./search.table.ts";

/**
 * Number of preceding turns that an embedder reads with an episode, and the characters of them:
 * more than the 64 tokens that are used. Later turns would help as much but do not exist when an
 * episode is stored.
 */
const TURNS_BEFORE = 6;
const MAX_CHARACTERS = 600;

/** Kinds whose items form sequences, and the column that identifies a sequence. */
const SEQUENCE_COLUMNS = { episode: "session", passage: "source_id" } as const;
type SequencedKind = keyof typeof SEQUENCE_COLUMNS;

export async function loadPrecedingTexts(
  tx: Tx,
  kind: IndexedKind,
  numbers: readonly number[],
): Promise<Map<number, string>> {
  if (numbers.length === 0 || kind === "concept") return new Map();
  const rows = await precedingTurns[kind](tx, { numbers: listOfValues(numbers) });
  const texts = new Map<number, string>();
  for (const [number, content] of rows) {
    texts.set(number, `${texts.get(number) ?? ""}${content}\n`.slice(-MAX_CHARACTERS));
  }
  return texts;
}

const precedingTurns = {
  episode: rowQuery<TurnRow>(() => selectTurnsBefore("episode", isTurn)),
  passage: rowQuery<TurnRow>(() => selectTurnsBefore("passage")),
};

type TurnRow = [number: number, content: string];

function selectTurnsBefore(
  kind: SequencedKind,
  among: (alias: string) => SQL = () => sql`true`,
): SQL {
  const table = sql.identifier(ITEM_TABLES[kind]);
  const group = sql.identifier(SEQUENCE_COLUMNS[kind]);
  const before = sql`select near.id from ${table} near
    where near.${group} = item.${group} and near.id < item.id and near.deleted_at is null and ${among("near")}
    order by near.id desc limit ${sql.raw(String(TURNS_BEFORE))}`;
  return sql`select item.id, earlier.content from ${table} item
    ${orderedJoin({ table: ITEM_TABLES[kind], alias: "earlier" }, before)}
    where item.id in (${numbersParameter("numbers")}) and ${among("item")} order by item.id, earlier.id`;
}

/** Requests vectors of the current texts. Vectors computed from earlier text will be rejected. */
export function requestVectors(
  tx: Tx,
  requested: Readonly<Record<IndexedKind, readonly number[]>>,
): Promise<void> {
  const rows = INDEXED_KINDS.flatMap((kind) => createRows(kind, requested[kind], false));
  return forEachBatch(rows, (slice) => insertRequests(tx, slice));
}

/** Requests better vectors, for which recall need not wait. An urgent request stays urgent. */
function requestRenewals(tx: Tx, kind: IndexedKind, numbers: readonly number[]): Promise<void> {
  return insertRenewals(tx, createRows(kind, numbers, true));
}

function createRows(kind: IndexedKind, numbers: readonly number[], canWait: boolean) {
  return numbers.map((itemId) => ({ kind, itemId, revision: randomInt(MAX_REVISION), canWait }));
}

const PRIMARY_KEY = [pendingVectors.kind, pendingVectors.itemId];

const insertRequests = insertRows(pendingVectors, {
  onConflict: {
    target: PRIMARY_KEY,
    set: { revision: sql`excluded.revision`, canWait: sql`excluded.can_wait` },
  },
});

const insertRenewals = insertRows(pendingVectors, {
  onConflict: { target: PRIMARY_KEY, set: { revision: sql`excluded.revision` } },
});

/** Well below the largest exact integer of a JavaScript number. */
const MAX_REVISION = 2 ** 48 - 1;

export async function findReaders(tx: Tx, numbers: readonly number[]): Promise<number[]> {
  if (numbers.length === 0) return [];
  const rows = await laterTurns(tx, { numbers: listOfValues(numbers) });
  return rows.map(([number]) => number);
}

const TURNS_AFTER_IT = sql`select near.id from episodes near
  where near.session = changed.session and near.id > changed.id and near.deleted_at is null
  order by near.id limit ${sql.raw(String(TURNS_BEFORE))}`;

const laterTurns = rowQuery<[number: number]>(
  () => sql`select distinct later.id from episodes changed
    ${orderedJoin({ table: "episodes", alias: "later" }, TURNS_AFTER_IT)}
    where changed.id in (${numbersParameter("numbers")})`,
);

/**
 * Requests new vectors for these episodes after a preceding turn was edited, deleted or restored.
 * Recall does not wait for them. Embedders without tokens read each text alone, so their vectors
 * remain.
 */
export async function renewVectors(tx: Tx, numbers: readonly number[]): Promise<void> {
  if (numbers.length === 0) return;
  const rows = await readInContext(tx, { numbers: listOfValues(numbers) });
  await requestRenewals(
    tx,
    "episode",
    rows.map(([number]) => number),
  );
}

const readInContext = rowQuery<[number: number]>(
  () => sql`select episodes.id from episodes
    left join vectors on vectors.kind = 'episode' and vectors.item_id = episodes.id
    left join pending_vectors pending on pending.kind = 'episode' and pending.item_id = episodes.id
    where episodes.id in (${numbersParameter("numbers")}) and episodes.deleted_at is null
      and (vectors.tokens is not null or pending.item_id is not null)`,
);
