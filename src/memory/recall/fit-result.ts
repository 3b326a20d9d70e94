import type { ConflictRecord } from "../conflicts/conflict.schema.ts";
import {
  formatConflictIds,
  formatConflicts,
  formatItem,
  formatNothing,
  type RecalledItem,
} from "./format-for-agent.ts";
import type { RecalledConcept, RecalledEpisode, RecallRequest } from "./recall.schema.ts";

export interface FoundItems {
  readonly concepts: readonly RecalledConcept[];
  readonly episodes: readonly RecalledEpisode[];
  /** Open conflicts of the facts that are shown. */
  readonly conflicts: readonly ConflictRecord[];
  /** False when time ran out. */
  readonly complete: boolean;
}

export interface FittedResult {
  readonly concepts: RecalledConcept[];
  readonly episodes: RecalledEpisode[];
  readonly open_conflicts: ConflictRecord[];
  readonly formatted: string;
}

/** The items and their text; the lowest-ranked are dropped whole until the text fits `max_chars`. */
export function fitResult(
  found: FoundItems,
  request: Pick<RecallRequest, "query" | "entity" | "max_chars">,
): FittedResult {
  const most = request.max_chars ?? Number.POSITIVE_INFINITY;
  const items = inOrder(found);
  if (items.length === 0) {
    const nothing = formatNothing(request);
    return { ...assemble([], []), formatted: codePoints(nothing) <= most ? nothing : "" };
  }
  const blocks = items.map(formatItem);
  for (let count = roomFor(blocks, most); count > 0; count -= 1) {
    const result = assemble(items.slice(0, count), found.conflicts);
    const formatted = withWarning(blocks.slice(0, count), result.open_conflicts, most);
    if (formatted !== undefined) return { ...result, formatted };
  }
  return { ...assemble([], []), formatted: "" };
}

/** How many blocks fit, without any warning below them. */
function roomFor(blocks: readonly string[], most: number): number {
  let used = -codePoints(SEPARATOR);
  const tooMany = blocks.findIndex((block) => {
    used += codePoints(SEPARATOR) + codePoints(block);
    return used > most;
  });
  return tooMany < 0 ? blocks.length : tooMany;
}

/** The warning is shortened, and at last left out, before the only item that fits is. */
function withWarning(
  blocks: readonly string[],
  conflicts: readonly ConflictRecord[],
  most: number,
): string | undefined {
  const items = blocks.join(SEPARATOR);
  if (conflicts.length === 0) return items;
  const warnings = [formatConflicts(conflicts), formatConflictIds(conflicts)];
  const texts = warnings.map((warning) => `${items}${SEPARATOR}${warning}`);
  const candidates = blocks.length === 1 ? [...texts, items] : texts;
  return candidates.find((text) => codePoints(text) <= most);
}

const SEPARATOR = "\n\n";

/** As `max_chars` counts. */
function codePoints(text: string): number {
  let count = 0;
  for (const _character of text) count += 1;
  return count;
}

/** Highest score first, a concept before an episode of the same score. */
function inOrder({ concepts, episodes, conflicts }: FoundItems): RecalledItem[] {
  return [
    ...concepts.map((concept) => ({
      kind: "concept" as const,
      concept: withConflicts(concept, conflicts),
      score: concept.score,
    })),
    ...episodes.map((episode) => ({ kind: "episode" as const, episode, score: episode.score })),
  ].sort((a, b) => b.score - a.score);
}

function assemble(
  items: readonly RecalledItem[],
  conflicts: readonly ConflictRecord[],
): Omit<FittedResult, "formatted"> {
  const concepts = items.flatMap((item) => (item.kind === "concept" ? [item.concept] : []));
  const episodes = items.flatMap((item) => (item.kind === "episode" ? [item.episode] : []));
  const facts = new Set([
    ...concepts.flatMap(({ facts: claims = [] }) => claims.map(({ id }) => id)),
    ...episodes.flatMap(({ fact_id: id }) => (id === null ? [] : [id])),
  ]);
  const open = conflicts.filter(({ fact_a: a, fact_b: b }) => facts.has(a.id) || facts.has(b.id));
  return { concepts, episodes, open_conflicts: open };
}

/** The concept with the ids of the open conflicts between its facts. */
function withConflicts(
  concept: RecalledConcept,
  conflicts: readonly ConflictRecord[],
): RecalledConcept {
  const facts = new Set((concept.facts ?? []).map(({ id }) => id));
  const ids = conflicts
    .filter(({ fact_a: a, fact_b: b }) => facts.has(a.id) || facts.has(b.id))
    .map(({ id }) => id);
  return ids.length === 0 ? concept : { ...concept, open_conflicts: ids };
}
