import { createHash } from "node:crypto";
import { sql } from "drizzle-orm";
import type { Tx } from "../../../database/index.ts";
import type { IndexedKind } from "../../context/indexed-kind.ts";
import { type Problem, problemOf, problemOfRows } from "../../context/problem.ts";
import { activeNumbers, inSlices, itemId, itemTable, publicName } from "../indexed-items.ts";
import { loadSearchable } from "../load-searchable.ts";
import { itemsTable, wordsTable } from "./postings-tables.ts";
import { weighWords } from "./words-of-text.ts";

export async function findTextProblems(
  tx: Tx,
  kind: IndexedKind,
  { words }: { readonly words: boolean },
): Promise<readonly Problem[]> {
  return [
    ...(await findRows(tx, kind)),
    ...(words
      ? problemOf(
          `The text index holds other words than the ${kind}s.`,
          (await differingItems(tx, kind)).map((number) => publicName(kind, number)),
        )
      : []),
    ...(await findTotals(tx, kind)),
  ];
}

async function findRows(tx: Tx, kind: IndexedKind): Promise<readonly Problem[]> {
  const active = sql`select id from ${itemTable(kind)} where deleted_at is null`;
  const held = sql`select number from ${itemsTable(kind)}`;
  return [
    ...(await problemOfRows(
      tx,
      `Active ${kind}s are missing from the text index.`,
      sql`select ${itemId(kind, sql`id`)} as item from (${active} except ${held}) missing`,
    )),
    ...(await problemOfRows(
      tx,
      `The text index holds ${kind}s that are deleted or not there.`,
      sql`select number as item from (${held} except ${active}) stray`,
    )),
  ];
}

/** Items for which the index holds wrong words or wrong weights. */
async function differingItems(tx: Tx, kind: IndexedKind): Promise<number[]> {
  const held = await tx.all<{ number: number; length: number; fingerprint: number }>(
    sql`select number, min(length) as length, sum(${FINGERPRINT}) as fingerprint from ${wordsTable(kind)} group by number having min(length) = max(length)`,
  );
  const known = new Map(
    held.map(({ number, length, fingerprint }) => [number, `${length} ${fingerprint}`]),
  );
  const listed = sql`select number, unnest(words) as word from ${itemsTable(kind)}`;
  const stored = sql`select number, word from ${wordsTable(kind)}`;
  const uneven = await tx.all<{ number: number }>(
    sql`select number from (${listed} except ${stored}) lacking union select number from (${stored} except ${listed}) further`,
  );
  const differing = new Set(uneven.map(({ number }) => number));
  const numbers = await activeNumbers(tx, kind);
  await inSlices(numbers, async (slice) => {
    for (const { number, text } of await loadSearchable(tx, kind, slice)) {
      const { weights, length } = weighWords(text);
      const expected = weights.size === 0 ? undefined : `${length} ${fingerprintOf(weights)}`;
      if (known.get(number) !== expected) differing.add(number);
    }
  });
  return numbers.filter((number) => differing.has(number));
}

/** Problems with the number and total length of all items, which BM25 uses. */
async function findTotals(tx: Tx, kind: IndexedKind): Promise<readonly Problem[]> {
  const [row] = await tx.all<{
    items: number;
    words: number;
    told: number | null;
    of: number | null;
  }>(
    sql`select count(*) as items, coalesce(sum(length), 0) as words,
      (select items from text_totals where kind = ${kind}) as told,
      (select words from text_totals where kind = ${kind}) as of
      from ${itemsTable(kind)}`,
  );
  const { items = 0, words = 0, told, of } = row ?? {};
  const isRight = (told ?? 0) === items && (of ?? 0) === words;
  return problemOf(`The text index counts its ${kind}s wrong.`, isRight ? [] : [kind]);
}

const FINGERPRINT = sql`('x' || substr(md5(word || ' ' || weight), 1, 8))::bit(32)::bigint`;

/** A checksum of an item's words and weights, independent of the order of the words. */
function fingerprintOf(weights: ReadonlyMap<string, number>): string {
  let sum = 0n;
  for (const [word, weight] of weights) {
    const digest = createHash("md5").update(`${word} ${weight}`).digest("hex");
    sum += BigInt(`0x${digest.slice(0, 8)}`);
  }
  return String(sum);
}
