import { sql } from "drizzle-orm";
import {
  listOfValues,
  numbersNamed,
  rowQuery,
  type Tx,
  thenJoinEach,
} from "../../database/index.ts";
import { TURNS_BEFORE } from "./preceding-text.ts";
import { requestRenewals } from "./request-vector.ts";

export async function readersOf(tx: Tx, numbers: readonly number[]): Promise<number[]> {
  if (numbers.length === 0) return [];
  const rows = await laterTurns(tx, { numbers: listOfValues(numbers) });
  return rows.map(([number]) => number);
}

const TURNS_AFTER_IT = sql`select near.id from episodes near
  where near.session = changed.session and near.id > changed.id and near.deleted_at is null
  order by near.id limit ${sql.raw(String(TURNS_BEFORE))}`;

const laterTurns = rowQuery<[number: number]>(
  () => sql`select distinct later.id from episodes changed
    ${thenJoinEach({ table: "episodes", alias: "later" }, TURNS_AFTER_IT)}
    where changed.id in (${numbersNamed("numbers")})`,
);

/**
 * Requests new vectors for these episodes, because a turn before them was edited, deleted or restored. Recall
 * does not wait for these vectors. Embedders that return no tokens read each text alone, so their vectors
 * stay.
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
    where episodes.id in (${numbersNamed("numbers")}) and episodes.deleted_at is null
      and (vectors.tokens is not null or pending.item_id is not null)`,
);
