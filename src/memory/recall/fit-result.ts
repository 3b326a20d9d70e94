import type { ConflictRecord } from "../conflicts/conflict.schema.ts";
import { formatForAgent, formatNothing, type RecalledItem } from "./format-for-agent.ts";
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
    return { ...assemble([], found.conflicts), formatted: fits(nothing, most) ? nothing : "" };
  }
  for (let count = items.length; count > 0; count -= 1) {
    const result = assemble(items.slice(0, count), found.conflicts);
    if (fits(result.formatted, most)) return result;
  }
  return assemble([], found.conflicts);
}

/** Highest score first, a concept before an episode of the same score. */
function inOrder({ concepts, episodes }: FoundItems): (RecalledItem & { score: number })[] {
  return [
    ...concepts.map((concept) => ({ kind: "concept" as const, concept, score: concept.score })),
    ...episodes.map((episode) => ({ kind: "episode" as const, episode, score: episode.score })),
  ].sort((a, b) => b.score - a.score);
}

function assemble(
  items: readonly RecalledItem[],
  conflicts: readonly ConflictRecord[],
): FittedResult {
  const shown = items.map((item) =>
    item.kind === "concept" ? { ...item, concept: withConflicts(item.concept, conflicts) } : item,
  );
  const concepts = shown.flatMap((item) => (item.kind === "concept" ? [item.concept] : []));
  const episodes = shown.flatMap((item) => (item.kind === "episode" ? [item.episode] : []));
  const facts = new Set([
    ...concepts.flatMap(({ facts: claims = [] }) => claims.map(({ id }) => id)),
    ...episodes.flatMap(({ fact_id: id }) => (id === null ? [] : [id])),
  ]);
  const open = conflicts.filter(({ fact_a: a, fact_b: b }) => facts.has(a.id) || facts.has(b.id));
  return { concepts, episodes, open_conflicts: open, formatted: formatForAgent(shown, open) };
}

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

/** Unicode code points, as `max_chars` counts. */
function fits(text: string, most: number): boolean {
  if (text.length <= most) return true;
  return text.length <= 2 * most && [...text].length <= most;
}
