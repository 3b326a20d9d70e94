import { mapDisputes } from "../conflicts/conflict.queries.ts";
import type { ConflictRecord } from "../conflicts/conflict.schema.ts";
import type { MemoryLocation } from "../context/memory-location.ts";
import { parseQueryWords } from "../search/query-words.ts";
import {
  countCodePoints,
  cutItem,
  formatConflictIds,
  formatConflicts,
  formatItem,
  formatNothing,
  type RecalledItem,
  selectShownFacts,
} from "./format-for-agent.ts";
import type { RecalledPassage } from "./passages/passage.schema.ts";
import type { RecalledConcept, RecalledEpisode, RecallRequest } from "./recall.schema.ts";

export interface FoundItems {
  readonly concepts: readonly RecalledConcept[];
  readonly episodes: readonly RecalledEpisode[];
  readonly passages?: readonly RecalledPassage[];
  readonly conflicts: readonly ConflictRecord[];
  /** False if the time limit was reached. */
  readonly complete: boolean;
}

export interface FittedResult {
  readonly concepts: RecalledConcept[];
  readonly episodes: RecalledEpisode[];
  readonly passages?: RecalledPassage[] | undefined;
  readonly open_conflicts: ConflictRecord[];
  readonly formatted: string;
}

export interface ShownTo {
  readonly emptyLocation?: MemoryLocation | undefined;
  /** A model gets the brief text, and `max_chars` limits that text. */
  readonly isModel?: boolean | undefined;
}

/**
 * Selects items and their text within `max_chars`, best first. Items that do not fit are skipped;
 * if none fits, the best is truncated.
 */
export function fitResult(
  found: FoundItems,
  request: Pick<RecallRequest, "query" | "entity" | "max_chars">,
  { emptyLocation, isModel = false }: ShownTo = {},
): FittedResult {
  const limit = request.max_chars ?? Number.POSITIVE_INFINITY;
  const words = parseQueryWords(request.query ?? "");
  const items = sortByRank(found, { words, passageWords: words });
  const [best] = items;
  if (best === undefined) {
    const nothing = formatNothing(request, emptyLocation);
    return {
      ...assembleResult([], []),
      formatted: countCodePoints(nothing) <= limit ? nothing : "",
    };
  }
  if (isModel && limit !== Number.POSITIVE_INFINITY)
    return fitBriefly(items, found.conflicts, limit);
  const { fitting, blocks } = selectFittingItems(items, found.conflicts, limit);
  if (fitting.length === 0) {
    return { ...assembleResult([best], found.conflicts), formatted: cutItem(best, "full", limit) };
  }
  const result = assembleResult(fitting, found.conflicts);
  return {
    ...result,
    formatted: addWarning(blocks, { conflicts: result.open_conflicts }, limit) ?? "",
  };
}

export function listLeftOut(
  found: FoundItems,
  { concepts, episodes, passages = [] }: FittedResult,
): { readonly id: string; readonly score: number }[] {
  const retained = new Set([...concepts, ...episodes, ...passages].map(({ id }) => id));
  return [...found.concepts, ...found.episodes, ...(found.passages ?? [])]
    .filter(({ id }) => !retained.has(id))
    .map(({ id, score }) => ({ id, score }))
    .sort((a, b) => b.score - a.score);
}

/** Formats a result for a model. Never longer than `formatted`. */
export function formatBriefly({ formatted, ...shown }: FittedResult, query: string): string {
  const { blocks, includedFacts } = formatBriefBlocks({
    ...shown,
    passageWords: parseQueryWords(query),
  });
  const { open_conflicts: conflicts } = shown;
  const warning = conflicts.length === 0 ? [] : [formatConflicts(conflicts, includedFacts)];
  const text = [...blocks, ...warning].join(SEPARATOR);
  // After truncation `formatted` already is brief.
  return blocks.length > 0 && countCodePoints(text) <= countCodePoints(formatted)
    ? text
    : formatted;
}

interface ShownResult extends Omit<FittedResult, "formatted"> {
  /** Query words that select sentences; without them episodes are complete. */
  readonly words?: readonly string[];
  /** Query words that select sentences of passages; default: `words`. */
  readonly passageWords?: readonly string[];
}

function formatBriefBlocks({
  open_conflicts: conflicts,
  words = [],
  passageWords = words,
  ...items
}: ShownResult) {
  const includedFacts = new Set<string>();
  const blocks = sortByRank(
    { ...items, passages: items.passages ?? [], conflicts, complete: true },
    { words, passageWords },
  ).flatMap((item) => {
    if (includedFacts.has(factId(item))) return [];
    if (item.kind === "concept")
      for (const { id } of selectShownFacts(item.concept)) includedFacts.add(id);
    return [formatItem(item, "brief")];
  });
  return { blocks, includedFacts };
}

function fitBriefly(
  items: readonly RecalledItem[],
  conflicts: readonly ConflictRecord[],
  limit: number,
): FittedResult {
  const all = assembleResult(items, conflicts);
  const words = items.find((item) => item.kind !== "concept")?.words ?? [];
  const full = shortenWithin({ ...all, words }, limit);
  if (full !== undefined) return { ...all, formatted: full };
  const retained: RecalledItem[] = [];
  let fitting: FittedResult | undefined;
  for (const item of items) {
    const result = assembleResult([...retained, item], conflicts);
    const formatted = shortenWithin({ ...result, words }, limit);
    if (formatted === undefined) continue;
    retained.push(item);
    fitting = { ...result, formatted };
  }
  if (fitting !== undefined) return fitting;
  const best = items.slice(0, 1);
  const formatted = best.map((item) => cutItem(item, "brief", limit)).join("");
  return { ...assembleResult(best, conflicts), formatted };
}

/** Returns undefined if not even the shortest conflict warning fits with the items. */
function shortenWithin(result: ShownResult, limit: number): string | undefined {
  const { blocks, includedFacts } = formatBriefBlocks(result);
  return addWarning(blocks, { conflicts: result.open_conflicts, includedFacts }, limit);
}

function factId(item: RecalledItem): string {
  return (item.kind === "episode" ? item.episode.fact_id : undefined) ?? "";
}

interface FittingItems {
  readonly fitting: readonly RecalledItem[];
  /** Formatted items. A fact in its cluster's block is not repeated as an episode. */
  readonly blocks: readonly string[];
}

function selectFittingItems(
  items: readonly RecalledItem[],
  conflicts: readonly ConflictRecord[],
  limit: number,
): FittingItems {
  const fitting: RecalledItem[] = [];
  const blocks: string[] = [];
  const includedFacts = new Set<string>();
  let used = -countCodePoints(SEPARATOR);
  for (const item of items) {
    if (includedFacts.has(factId(item))) {
      fitting.push(item);
      continue;
    }
    const block = formatItem(item);
    const length = countCodePoints(SEPARATOR) + countCodePoints(block);
    if (used + length > limit) continue;
    if (limit !== Number.POSITIVE_INFINITY && conflicts.length > 0) {
      const open = assembleResult([...fitting, item], conflicts).open_conflicts;
      if (addWarning([...blocks, block], { conflicts: open }, limit) === undefined) continue;
    }
    fitting.push(item);
    blocks.push(block);
    used += length;
    if (item.kind === "concept")
      for (const { id } of selectShownFacts(item.concept)) includedFacts.add(id);
  }
  return { fitting: fitting, blocks };
}

interface ConflictContext {
  readonly conflicts: readonly ConflictRecord[];
  readonly includedFacts?: ReadonlySet<string>;
}

/** If only one item fits, the warning is shortened or omitted. */
function addWarning(
  blocks: readonly string[],
  { conflicts, includedFacts }: ConflictContext,
  limit: number,
): string | undefined {
  const items = blocks.join(SEPARATOR);
  if (conflicts.length === 0) return countCodePoints(items) <= limit ? items : undefined;
  const warnings = [formatConflicts(conflicts, includedFacts), formatConflictIds(conflicts)];
  const texts = warnings.map((warning) => `${items}${SEPARATOR}${warning}`);
  const candidates = blocks.length === 1 ? [...texts, items] : texts;
  return candidates.find((text) => countCodePoints(text) <= limit);
}

export const SEPARATOR = "\n\n";

function sortByRank(
  { concepts, episodes, passages = [], conflicts }: FoundItems,
  { words, passageWords }: Record<"words" | "passageWords", readonly string[]>,
): RecalledItem[] {
  const byFact = new Map(episodes.map((episode) => [episode.fact_id ?? "", episode]));
  const disputes = mapDisputes(conflicts);
  return [
    ...concepts.map((concept) => {
      const claims = new Map(
        selectShownFacts(concept).flatMap(({ id }) => {
          const claim = byFact.get(id);
          return claim === undefined ? [] : [[id, claim] as const];
        }),
      );
      const scores = Array.from(claims.values(), ({ score }) => score);
      return {
        kind: "concept" as const,
        concept: addConflicts(concept, conflicts),
        ...{ claims, disputes },
        score: Math.max(concept.score, ...scores),
      };
    }),
    ...episodes.map((episode) => ({
      kind: "episode" as const,
      ...{ episode, words, disputes },
      score: episode.score,
    })),
    // Passages of a conversation have equal scores and remain adjacent.
    ...passages.map((passage) => ({
      kind: "passage" as const,
      passage,
      words: passageWords,
      score: passage.score,
    })),
  ].sort((a, b) => b.score - a.score);
}

function assembleResult(
  items: readonly RecalledItem[],
  conflicts: readonly ConflictRecord[],
): Omit<FittedResult, "formatted"> {
  const concepts = items
    .flatMap((item) => (item.kind === "concept" ? [item.concept] : []))
    .sort((a, b) => b.score - a.score);
  const episodes = items.flatMap((item) => (item.kind === "episode" ? [item.episode] : []));
  const passages = items.flatMap((item) => (item.kind === "passage" ? [item.passage] : []));
  const facts = new Set([
    ...concepts.flatMap(({ facts: claims = [] }) => claims.map(({ id }) => id)),
    ...episodes.flatMap(({ fact_id: id }) => (id === null ? [] : [id])),
  ]);
  const open = conflicts.filter(({ fact_a: a, fact_b: b }) => facts.has(a.id) || facts.has(b.id));
  return { concepts, episodes, ...(passages.length > 0 && { passages }), open_conflicts: open };
}

function addConflicts(
  concept: RecalledConcept,
  conflicts: readonly ConflictRecord[],
): RecalledConcept {
  const facts = new Set((concept.facts ?? []).map(({ id }) => id));
  const ids = conflicts
    .filter(({ fact_a: a, fact_b: b }) => facts.has(a.id) || facts.has(b.id))
    .map(({ id }) => id);
  return ids.length === 0 ? concept : { ...concept, open_conflicts: ids };
}
