export interface ClusterCandidate {
  readonly clusterId: number;
  readonly entities: readonly number[];
}

/** Minimum Jaccard similarity of entities for joining a cluster. */
export const MIN_JOIN_SIMILARITY = 0.5;

/**
 * Finds the cluster whose active facts' entities overlap `entities` best: Jaccard similarity with
 * the union of its facts' entities or with any single fact, whichever is higher. Returns undefined
 * below 0.5. Ties go to the oldest cluster. `candidates` must contain every active fact of each
 * considered cluster.
 */
export function matchCluster(
  entities: readonly number[],
  candidates: readonly ClusterCandidate[],
): number | undefined {
  const requested = new Set(entities);
  const unions = new Map<number, Set<number>>();
  const scores = new Map<number, number>();
  for (const candidate of candidates) {
    const union = unions.get(candidate.clusterId) ?? new Set<number>();
    for (const entity of candidate.entities) union.add(entity);
    unions.set(candidate.clusterId, union);
    raiseScore(
      scores,
      candidate.clusterId,
      jaccardSimilarity(requested, new Set(candidate.entities)),
    );
  }
  for (const [clusterId, union] of unions)
    raiseScore(scores, clusterId, jaccardSimilarity(requested, union));
  let best: { clusterId: number; score: number } | undefined;
  for (const [clusterId, score] of scores) {
    if (score < MIN_JOIN_SIMILARITY) continue;
    const better = best === undefined || score > best.score;
    const olderEqual = best !== undefined && score === best.score && clusterId < best.clusterId;
    if (better || olderEqual) best = { clusterId, score };
  }
  return best?.clusterId;
}

export function jaccardSimilarity(a: ReadonlySet<number>, b: ReadonlySet<number>): number {
  let common = 0;
  for (const item of a) if (b.has(item)) common += 1;
  const union = a.size + b.size - common;
  return union === 0 ? 0 : common / union;
}

function raiseScore(scores: Map<number, number>, key: number, score: number): void {
  if (score > (scores.get(key) ?? 0)) scores.set(key, score);
}
