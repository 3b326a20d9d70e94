import { sql } from "drizzle-orm";
import {
  listOfRows,
  type QueryShape,
  rowQuery,
  rowsParameter,
  type Tx,
} from "../../../database/index.ts";
import { getTextIndex } from "../../search/match-texts.ts";
import type { Term } from "../../search/text-query.ts";
import { decodeUnit, UNIT_OF_PASSAGE } from "../../search/text-query.ts";
import { addTotals, loadTotals } from "../../totals.ts";
import type { PassageScope } from "./load-units.ts";

/** BM25 parameter k1, typical for short texts. */
const SATURATION = 1.2;
const LENGTH_WEIGHT = 0.4;
/** Typical turns per conversation, for estimating the number of conversations. */
const TYPICAL_TURNS = 12;
/** Best units by words whose length is loaded, which reads every turn. */
const MAX_UNITS = 50;

export interface UnitMatch {
  readonly score: number;
  /** Weight of matched query words relative to all, 0..1. */
  readonly coverage: number;
  /** Weight of the rarest matched word relative to an unseen word, 0..1, and the sum of weights. */
  readonly rarity: number;
  readonly matchedWeight: number;
}

/**
 * Ranks whole conversations, commits and sections by BM25: a question's words are spread over
 * several turns. `missing` is the number of words without a match.
 */
export async function rankUnits(
  tx: Tx,
  { terms, missing = 0 }: { readonly terms: readonly Term[]; readonly missing?: number },
  scope: PassageScope,
): Promise<Map<number, UnitMatch>> {
  if (terms.length === 0) return new Map();
  const counts = await getTextIndex(tx).countUnits(tx, terms, scope);
  const { rarities, limit } = await loadRarities(tx, terms, counts);
  const all = rarities.reduce((sum, rarity) => sum + rarity, missing * limit);
  const stored = new Map<number, Map<number, number>>();
  for (const { term, unit, passages } of counts) {
    const ofUnit = stored.get(unit) ?? new Map<number, number>();
    stored.set(unit, ofUnit.set(term, passages));
  }
  const weights = Array.from(stored, ([unit, ofUnit]) => ({
    unit,
    ofUnit,
    weight: sumOf(ofUnit.keys(), (term) => rarities[term] ?? 0),
  }));
  weights.sort((a, b) => b.weight - a.weight || b.unit - a.unit);
  const best = weights.slice(0, MAX_UNITS);
  const lengths = await loadLengths(
    tx,
    best.map(({ unit }) => unit),
  );
  const usual = sumOf(lengths.values(), (length) => length) / Math.max(1, lengths.size);
  return new Map(
    best.map(({ unit, ofUnit, weight }) => {
      const length = (lengths.get(unit) ?? usual) / Math.max(1, usual);
      const norm = SATURATION * (1 - LENGTH_WEIGHT + LENGTH_WEIGHT * length);
      const score = sumOf(
        ofUnit,
        ([term, count]) => ((rarities[term] ?? 0) * count * (SATURATION + 1)) / (count + norm),
      );
      const rarest = Math.max(...Array.from(ofUnit.keys(), (term) => rarities[term] ?? 0));
      const coverage = all === 0 ? 0 : weight / all;
      return [unit, { score, coverage, rarity: rarest / limit, matchedWeight: weight }];
    }),
  );
}

/** Inverse document frequency among units (Robertson and Spärck Jones), at least 0. */
async function loadRarities(
  tx: Tx,
  terms: readonly Term[],
  counts: readonly { readonly term: number }[],
): Promise<{ readonly rarities: readonly number[]; readonly limit: number }> {
  const totals = await loadTotals(tx, { kinds: ["passages"] });
  const single = totals.filter(({ name }) => SINGLE_PASSAGE_KINDS.has(name));
  const turns = addTotals(totals.filter(({ name }) => !SINGLE_PASSAGE_KINDS.has(name)));
  const all = addTotals(single) + turns / TYPICAL_TURNS;
  const units = terms.map(() => 0);
  for (const { term } of counts) units[term] = (units[term] ?? 0) + 1;
  const getRarity = (stored: number) =>
    Math.log(1 + (Math.max(all, MIN_UNITS, stored) - stored + 0.5) / (stored + 0.5));
  return { rarities: units.map(getRarity), limit: getRarity(0) };
}

/** Minimum number of units for meaningful word rarity. */
const MIN_UNITS = 50;

const SINGLE_PASSAGE_KINDS: ReadonlySet<string> = new Set(["commit", "section"]);

async function loadLengths(tx: Tx, units: readonly number[]): Promise<Map<number, number>> {
  const locations = units.map(decodeUnit);
  const segments = listOfRows(locations.map(({ source, segment }) => [source, segment]));
  const rows = await unitLengths(tx, { wanted: segments });
  return new Map(rows.map(([unit, length]) => [unit, Number(length)]));
}

const unitLengths = rowQuery<[unit: number, length: number], QueryShape>(
  () => sql`select ${UNIT_OF_PASSAGE} as unit, sum(octet_length(passages.content)) from passages
    inner join (${rowsParameter("wanted", { source: "number", segment: "number" })}) wanted
      on passages.source_id = wanted.source and passages.segment = wanted.segment
    where passages.deleted_at is null group by unit`,
);

function sumOf<Item>(items: Iterable<Item>, value: (item: Item) => number): number {
  let total = 0;
  for (const item of items) total += value(item);
  return total;
}
