import { and, eq, inArray, isNotNull, isNull } from "drizzle-orm";
import { type Tx, withTimeLimit } from "../../../database/index.ts";
import { episodes } from "../../episodes/episode.table.ts";
import { facts } from "../../facts/fact.table.ts";
import { episodeId, passageId } from "../../input/item-ids.ts";
import { loadTerms, matchTexts, selectRarest } from "../../search/match-texts.ts";
import { parseQueryWords } from "../../search/query-words.ts";
import { loadPassages } from "../../sources/source.queries.ts";
import type { PassageRecord } from "../../sources/source.schema.ts";
import { GRACE_MS, withinDeadline } from "../limit-to-deadline.ts";
import type { PreparedRecall } from "../prepare-recall.ts";
import { roundScore } from "../rank.ts";
import type { RecallRequest } from "../recall.schema.ts";
import type { RecallScope } from "../recall-scope.ts";
import { type FoundUnit, findPassages, type PassageSearch } from "./find-passages.ts";
import { isAmending } from "./is-amending.ts";
import {
  loadUnits,
  type PassageScope,
  passageScope,
  selectSettledPassages,
  stripCode,
  type UnitPassage,
} from "./load-units.ts";
import type { RecalledPassage } from "./passage.schema.ts";
import { rankUnits } from "./rank-units.ts";

const MAX_STEPS = 20;

/**
 * Finds passages whose extracted statement was superseded, with the episode that replaces it.
 * Readers must not treat their text as valid.
 */
async function findSupersededPassages(
  tx: Tx,
  passages: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (passages.length === 0) return new Map();
  const former = await tx
    .select({ passage: episodes.sourceRef, by: facts.supersededBy })
    .from(episodes)
    .innerJoin(facts, eq(facts.episodeId, episodes.id))
    .where(
      and(
        inArray(episodes.sourceRef, [...passages]),
        isNull(episodes.deletedAt),
        isNotNull(facts.supersededBy),
      ),
    )
    .orderBy(episodes.id);
  const holding = await followReplacements(
    tx,
    former.flatMap(({ by }) => by ?? []),
  );
  return new Map(
    former.flatMap(({ passage, by }) => {
      const episode = by === null ? undefined : holding.get(by);
      return passage === null || episode === undefined
        ? []
        : [[passage, episodeId(episode)] as const];
    }),
  );
}

async function followReplacements(
  tx: Tx,
  winners: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  const last = new Map(winners.map((winner) => [winner, winner]));
  const found = new Map<number, number>();
  for (let step = 0; step < MAX_STEPS && last.size > 0; step++) {
    const rows = await tx
      .select({ id: facts.id, episodeId: facts.episodeId, by: facts.supersededBy })
      .from(facts)
      .where(inArray(facts.id, [...new Set(last.values())]));
    const byId = new Map(rows.map((row) => [row.id, row]));
    for (const [winner, at] of last) {
      const row = byId.get(at);
      if (row !== undefined) found.set(winner, row.episodeId);
      if (row === undefined || row.by === null) last.delete(winner);
      else last.set(winner, row.by);
    }
  }
  return found;
}

/** Minimum share of another unit's outcome words for the same subject. */
const MIN_SAME_SUBJECT = 0.3;
/** With more similar units than this, the match is too generic. */
const MAX_PER_SUBJECT = 3;

async function findSameSubject(
  tx: Tx,
  scope: PassageScope,
  of: { readonly unit: number; readonly passages: readonly UnitPassage[] },
): Promise<{ readonly unit: number; readonly similarity: number }[]> {
  const similarities = await similarityTo(tx, scope, of);
  return Array.from(similarities, ([unit, share]) => ({ unit, similarity: share }))
    .filter(({ unit, similarity: share }) => unit !== of.unit && share >= MIN_SAME_SUBJECT)
    .sort((a, b) => b.similarity - a.similarity || b.unit - a.unit)
    .slice(0, MAX_PER_SUBJECT);
}

const COMPARED_CHARACTERS = 1500;
/** A word in more rows than this does not identify a subject. */
const MAX_ROWS_PER_SUBJECT = 400;

/**
 * Returns the share of a unit's outcome words in other units, 0..1. A later change to a decision
 * repeats its words, though it may share few with the query.
 */
async function similarityTo(
  tx: Tx,
  scope: PassageScope,
  { unit, passages }: { readonly unit: number; readonly passages: readonly UnitPassage[] },
): Promise<Map<number, number>> {
  const text = selectSettledPassages(passages)
    .map(({ text }) => stripCode(text))
    .join("\n")
    .slice(0, COMPARED_CHARACTERS);
  const query = { kind: "passage", visible: scope, rows: MAX_ROWS_PER_SUBJECT } as const;
  const terms = selectRarest(await loadTerms(tx, parseQueryWords(text), query), query);
  const matches = await rankUnits(tx, { terms }, scope);
  const own = matches.get(unit)?.score ?? 0;
  if (own === 0) return new Map();
  return new Map(Array.from(matches, ([other, { score }]) => [other, score / own]));
}

/** Commits per result that are checked for reverts. */
const MAX_LOOKUPS = 6;
/** Passages with words of a commit's subject that are checked for a revert. */
const MAX_CANDIDATES = 8;

/**
 * Maps reverted commits to the passages that reverted them. A revert quotes the commit's subject
 * (`Revert "…"`), so a text search finds it.
 */
async function findReverts(
  tx: Tx,
  scope: PassageScope,
  records: readonly PassageRecord[],
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  for (const record of records.filter(({ role }) => role === "commit").slice(0, MAX_LOOKUPS)) {
    const by = await findReverting(tx, scope, record);
    if (by !== undefined && (await findReverting(tx, scope, by)) === undefined) {
      found.set(record.id, by.id);
    }
  }
  return found;
}

async function findReverting(
  tx: Tx,
  scope: PassageScope,
  { id, text }: PassageRecord,
): Promise<PassageRecord | undefined> {
  const [subject = ""] = text.split("\n", 1);
  const query = { kind: "passage", visible: scope, limit: MAX_CANDIDATES } as const;
  const matches = (await matchTexts(tx, parseQueryWords(`revert ${subject}`), [query])).passage;
  const others = await loadPassages(
    tx,
    matches.map(({ number }) => number),
  );
  return others.find(({ reverts, deleted_at }) => reverts === id && deleted_at === null);
}

/** Units loaded, from the best of which passages are returned. */
const MAX_UNITS_READ = 6;
/** Maximum share of the result for the best unit. */
const MIN_RATIO_OF_BEST = 0.7;

export interface PassageRequest {
  readonly request: RecallRequest;
  readonly prepared: PreparedRecall;
  readonly scope: RecallScope;
  isLate(): boolean;
}

export interface FoundPassageList {
  readonly passages: readonly RecalledPassage[];
  readonly complete: boolean;
}

const NO_PASSAGES: FoundPassageList = { passages: [], complete: true };

/**
 * Finds past outcomes about a query. Questions resemble problem descriptions, but readers want the
 * solution, so units are matched as a whole and represented by their conclusion and the user's
 * messages. Among units on one subject, the newest comes first and the others reference it.
 */
export async function recallPassages(tx: Tx, query: PassageRequest): Promise<FoundPassageList> {
  const { request, prepared, isLate } = query;
  const limit = request.passage_k ?? 0;
  const scope = limit === 0 ? undefined : passageScope(request, query.scope);
  if (scope === undefined) return NO_PASSAGES;
  const search = { prepared, scope, isLate };
  const found = await withTimeLimit(tx, isLate, () =>
    withinDeadline(search, () => findPassages(tx, search), undefined),
  );
  if (found === undefined) return { passages: [], complete: false };
  const least = request.min_score ?? found.minScore;
  const best = found.units.slice(0, MAX_UNITS_READ).filter(({ score }) => score >= least);
  const [first] = best;
  if (first === undefined) return { passages: [], complete: found.complete };
  const overdue = prepared.deadline?.extendedBy(GRACE_MS);
  const isOverdue = () => overdue?.isPast === true;
  const read = async () => {
    const units = best.map(({ unit }) => unit);
    const loaded = await loadUnits(tx, scope, units);
    return findSettledIn(tx, search, { best, loaded, limit: limit });
  };
  const passages = await withTimeLimit(tx, isOverdue, () =>
    withinDeadline({ isLate: isOverdue }, read, undefined),
  );
  return {
    passages: passages ?? [],
    complete: found.complete && !isLate() && passages !== undefined,
  };
}

interface ReadUnits {
  readonly best: readonly FoundUnit[];
  readonly loaded: ReadonlyMap<number, readonly UnitPassage[]>;
  readonly limit: number;
}

export async function findSettledIn(
  tx: Tx,
  search: Pick<PassageSearch, "scope" | "isLate">,
  { best, loaded, limit }: ReadUnits,
): Promise<RecalledPassage[]> {
  const [first] = best;
  if (first === undefined) return [];
  const { scope } = search;
  const subject = await withinDeadline(
    search,
    () => findSameSubject(tx, scope, { unit: first.unit, passages: loaded.get(first.unit) ?? [] }),
    [],
  );
  const all = new Map(loaded);
  const missing = subject.filter(({ unit }) => !all.has(unit)).map(({ unit }) => unit);
  if (missing.length > 0) {
    for (const [unit, ofUnit] of await loadUnits(tx, scope, missing)) all.set(unit, ofUnit);
  }
  return createShownPassages(tx, sortByTime(best, subject, all), { scope, limit });
}

interface ShownUnit {
  readonly score: number;
  readonly settled: readonly UnitPassage[];
  readonly shownPassages: readonly UnitPassage[];
  readonly replacedBy: number | undefined;
}

/** Orders the newest unit on the best one's subject first, then those it replaced. */
function sortByTime(
  best: readonly FoundUnit[],
  subject: readonly { readonly unit: number }[],
  loaded: ReadonlyMap<number, readonly UnitPassage[]>,
): ShownUnit[] {
  const passagesOf = (unit: number) => loaded.get(unit) ?? [];
  const getSettled = (unit: number) => selectSettledPassages(passagesOf(unit));
  const scoreOf = new Map(best.map(({ unit, score }) => [unit, score]));
  const [first] = best;
  if (first === undefined) return [];
  const getTime = (unit: number) => passagesOf(unit).at(-1)?.occurredAt ?? "";
  const onSubject = [first.unit, ...subject.map(({ unit }) => unit)]
    .filter((unit) => getSettled(unit).length > 0)
    .sort((a, b) => getTime(b).localeCompare(getTime(a)) || b - a);
  const amendment = onSubject.find((unit) => getSettled(unit).some(({ text }) => isAmending(text)));
  // Sections of a file have equal times and do not replace each other.
  const amended =
    amendment === undefined
      ? []
      : [amendment, ...onSubject.filter((unit) => getTime(unit) < getTime(amendment))];
  const isAmended = amended.length > 1 && amended.includes(first.unit);
  const combined = isAmended ? amended : [first.unit];
  const [newest] = combined;
  const replacedBy = newest === undefined ? undefined : getSettled(newest)[0]?.number;
  const others = best.map(({ unit }) => unit).filter((unit) => !combined.includes(unit));
  return [
    ...combined.map((unit) => ({
      score: first.score,
      settled: getSettled(unit),
      shownPassages: passagesOf(unit),
      replacedBy: unit === newest ? undefined : replacedBy,
    })),
    ...others.map((unit) => ({
      score: scoreOf.get(unit) ?? 0,
      settled: getSettled(unit),
      shownPassages: passagesOf(unit),
      replacedBy: undefined,
    })),
  ];
}

interface DisplayContext {
  readonly scope: PassageScope;
  readonly limit: number;
}

async function createShownPassages(
  tx: Tx,
  units: readonly ShownUnit[],
  { scope, limit }: DisplayContext,
): Promise<RecalledPassage[]> {
  const chosen = choosePassages(units, limit);
  const records = await loadPassages(
    tx,
    chosen.map(({ number }) => number),
  );
  const byId = new Map(records.map((record) => [record.id, record]));
  const back = await findReverts(tx, scope, records);
  const instead = await findSupersededPassages(
    tx,
    records.map(({ id }) => id),
  );
  return chosen.flatMap(({ number, score, replacedBy, before, after }): RecalledPassage[] => {
    const record = byId.get(passageId(number));
    if (record === undefined) return [];
    const { id, source_id, kind, role, by, occurred_at, files, text, reverts } = record;
    const later =
      instead.get(id) ?? (replacedBy === undefined ? back.get(id) : passageId(replacedBy));
    return [
      {
        ...{ id, source_id, kind, role, by, occurred_at, files, text },
        score: roundScore(score),
        ...(later !== undefined && { standing: "replaced" as const, replaced_by: later }),
        ...(reverts !== null && { reverts }),
        ...(before !== undefined && { before: passageId(before) }),
        ...(after !== undefined && { after: passageId(after) }),
      },
    ];
  });
}

interface ChosenPassage {
  readonly number: number;
  readonly score: number;
  readonly replacedBy: number | undefined;
  /** Numbers of adjacent passages in the conversation. */
  readonly before: number | undefined;
  readonly after: number | undefined;
}

/** Selects passages: most from the first unit and at least one from the next. */
function choosePassages(units: readonly ShownUnit[], requested: number): ChosenPassage[] {
  const chosen: ChosenPassage[] = [];
  for (const [index, { settled, shownPassages, score, replacedBy }] of units.entries()) {
    const left = requested - chosen.length;
    const isLast = index === units.length - 1;
    const limit = isLast ? left : Math.max(1, Math.ceil(left * MIN_RATIO_OF_BEST));
    for (const { number } of settled.slice(0, Math.min(left, limit))) {
      const at = shownPassages.findIndex((passage) => passage.number === number);
      const [before, after] = [shownPassages[at - 1]?.number, shownPassages[at + 1]?.number];
      chosen.push({ number, score, replacedBy, before, after });
    }
  }
  return chosen;
}
