import { type SQL, sql } from "drizzle-orm";
import {
  listOfValues,
  numbersNamed,
  rowQuery,
  type Tx,
  thenJoinEach,
} from "../../database/index.ts";
import type { IndexedKind } from "../context/indexed-kind.ts";
import { isTurn } from "../episodes/episode-types.ts";
import { ITEM_TABLES } from "./by-kind.ts";

/**
 * Number of turns before an episode an embedder reads with it, and how many characters of the last
 * of them:
 * more than the 64 tokens that are used. Later turns would help as much but do not exist yet when
 * an episode
 * is remembered.
 */
export const TURNS_BEFORE = 6;
const MAX_CHARACTERS = 600;

/** Kinds whose items form sequences, and the column that identifies a sequence. */
const SEQUENCES = { episode: "session", passage: "source_id" } as const;
type SequencedKind = keyof typeof SEQUENCES;

/** What was said before each of these items in its session or source; nothing for the first of a session. */
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
  episode: rowQuery<TurnRow>(() => turnsBefore("episode", isTurn)),
  passage: rowQuery<TurnRow>(() => turnsBefore("passage")),
};

type TurnRow = [number: number, content: string];

function turnsBefore(kind: SequencedKind, among: (alias: string) => SQL = () => sql`true`): SQL {
  const table = sql.identifier(ITEM_TABLES[kind]);
  const group = sql.identifier(SEQUENCES[kind]);
  const before = sql`select near.id from ${table} near
    where near.${group} = item.${group} and near.id < item.id and near.deleted_at is null and ${among("near")}
    order by near.id desc limit ${sql.raw(String(TURNS_BEFORE))}`;
  return sql`select item.id, earlier.content from ${table} item
    ${thenJoinEach({ table: ITEM_TABLES[kind], alias: "earlier" }, before)}
    where item.id in (${numbersNamed("numbers")}) and ${among("item")} order by item.id, earlier.id`;
}
