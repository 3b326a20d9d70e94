import type { Tx } from "../../database/index.ts";
import { requireConcept } from "../concepts/concept.queries.ts";
import type { MemoryKind } from "../context/indexed-kind.ts";
import { requireEpisode } from "../episodes/episode.queries.ts";
import { requireFact } from "../facts/fact.queries.ts";
import type { FilterContext } from "../filters/narrowing.ts";
import { kindOfId } from "../input/item-ids.ts";
import { toReadableWord } from "../search/fold-text.ts";
import { getTextIndex } from "../search/match-texts.ts";
import { computeCosines } from "../search/simd/cosines.ts";
import { loadVector } from "../search/vector-index.ts";
import { activate } from "./activate.ts";
import { loadConceptCandidates, loadEpisodeCandidates } from "./load-candidates.ts";
import { createExplainer } from "./load-results.ts";
import type { PreparedRecall } from "./prepare-recall.ts";
import { type Activation, findLowestShown, NO_ACTIVATION, rankItems, roundScore } from "./rank.ts";
import type { RecallRequest } from "./recall.schema.ts";
import { type RecallScope, resolveScope } from "./recall-scope.ts";
import { collectActivations } from "./spread-activation.ts";
import type { WhyNot } from "./why-not.schema.ts";

interface QueriedItem {
  readonly id: string;
  readonly kind: MemoryKind;
  readonly number: number;
}

export async function whyNot(
  context: FilterContext,
  { id, ...request }: RecallRequest & { readonly id: string },
  prepared: PreparedRecall,
): Promise<WhyNot> {
  const { tx } = context;
  const item = await requireItem(tx, id);
  const scope = await resolveScope(context, request, prepared.entity);
  const placement = await locateItem(tx, item, { request, prepared, scope });
  const stored = await getTextIndex(tx).loadContainedWords(tx, item, prepared.words);
  const similarity = await loadSimilarity(tx, item, prepared);
  const words = {
    query: prepared.words.map(toReadableWord),
    held: stored.map(toReadableWord),
    missing: prepared.words.filter((word) => !stored.includes(word)).map(toReadableWord),
  };
  const measured = { ...placement, words, similarity };
  const { isInScope: _scope, ...output } = measured;
  return {
    id: item.id,
    kind: item.kind,
    ...output,
    reasons: explainAbsence(item, measured, prepared),
  };
}

/** Recall returns a fact as its episode. */
async function requireItem(tx: Tx, id: string): Promise<QueriedItem> {
  const kind = kindOfId(id);
  if (kind === "fact") {
    const { episodeId: number } = await requireFact(tx, id, "id");
    return { id: `ep:${number}`, kind: "episode", number };
  }
  if (kind === "concept") {
    const row = await requireConcept(tx, id, "id");
    return { id: row.publicId, kind, number: row.id };
  }
  const row = await requireEpisode(tx, id, "id");
  return { id, kind: "episode", number: row.id };
}

interface ItemPosition
  extends Pick<WhyNot, "returned" | "rank" | "candidates" | "asked" | "score"> {
  readonly needed: number | null;
  readonly explain?: WhyNot["explain"];
  readonly isInScope: boolean;
}

async function locateItem(
  tx: Tx,
  item: QueriedItem,
  search: { request: RecallRequest; prepared: PreparedRecall; scope: RecallScope | undefined },
): Promise<ItemPosition> {
  const { request, prepared, scope } = search;
  const limit = item.kind === "episode" ? request.episode_k : request.k;
  const unranked = {
    returned: false,
    rank: null,
    candidates: 0,
    asked: limit,
    score: 0,
    needed: null,
  };
  if (scope === undefined) return { ...unranked, isInScope: false };
  const { activated, entities, arrivals } = await activate(tx, {
    request: { ...request, explain: true },
    prepared,
    scope,
    isLate: () => false,
  });
  const partsByNumber: ReadonlyMap<number, Activation> =
    item.kind === "episode"
      ? activated.episodes
      : new Map(Array.from(activated.concepts, ([number, { parts }]) => [number, parts]));
  const all = rankItems(partsByNumber, (parts) => parts, {
    count: partsByNumber.size,
    minScore: 0,
  });
  const at = all.findIndex(({ number }) => number === item.number);
  const parts = partsByNumber.get(item.number) ?? NO_ACTIVATION;
  const score = roundScore(parts.score);
  const least = findLowestShown(request.min_score, collectActivations(activated));
  const last = all[limit - 1];
  const explain = await createExplainer(tx, [parts], {
    entities,
    arrivals: at >= 0 ? arrivals : undefined,
  });
  return {
    returned: at >= 0 && at < limit && score >= least,
    rank: at < 0 ? null : at + 1,
    candidates: all.length,
    asked: limit,
    score,
    needed: Math.max(least, last?.score ?? 0),
    isInScope: at >= 0 || (await isInScope(tx, item, scope)),
    ...explain(parts),
  };
}

const NO_QUERY_TARGETS = {
  entities: [],
  secondaryEntities: [],
  isDated: false,
  isAboutOneself: false,
};
const NO_MEASURES = { vectors: false, tokens: false };

async function isInScope(
  tx: Tx,
  { kind, number }: QueriedItem,
  scope: RecallScope,
): Promise<boolean> {
  const found =
    kind === "episode"
      ? await loadEpisodeCandidates(
          tx,
          { scope, numbers: [number], measures: NO_MEASURES },
          NO_QUERY_TARGETS,
        )
      : await loadConceptCandidates(tx, { scope, numbers: [number], measures: NO_MEASURES });
  return found.has(number);
}

async function loadSimilarity(
  tx: Tx,
  { kind, number }: QueriedItem,
  { vector }: PreparedRecall,
): Promise<WhyNot["similarity"]> {
  const stored = vector && (await loadVector(tx, { kind, number }));
  if (vector === undefined || stored === undefined) return null;
  const [cosine = 0] = computeCosines(vector.direction, [stored]);
  return { cosine, floor: vector.background.noise };
}

type Measured = ItemPosition & Pick<WhyNot, "words" | "similarity">;

function explainAbsence(
  item: QueriedItem,
  measured: Measured,
  { vector }: PreparedRecall,
): string[] {
  const { returned, rank, asked, score, needed, candidates, isInScope } = measured;
  if (returned) return [`It is returned: number ${rank} of ${candidates}.`];
  if (!isInScope) {
    return [
      "It is outside the search scope: an entity, label, topic or date filter excludes it, or it is a fact that is no longer valid.",
    ];
  }
  const weak = [
    describeMissingWords(measured.words),
    describeLowSimilarity(measured.similarity, vector),
  ];
  if (rank === null) return [...weak, NOT_REACHED_REASON];
  if (rank > asked) return [describeTooFar({ rank: rank, score, needed, kind: item.kind })];
  const cut = `Its score ${score.toFixed(2)} is below ${(needed ?? 0).toFixed(2)}, the relevance threshold; min_score=0 returns it.`;
  return measured.words.missing.length > 0 ? [...weak, cut] : [cut];
}

const NOT_REACHED_REASON = "No strong match leads to it over a session, evidence or a relation.";

function describeTooFar(at: {
  rank: number;
  score: number;
  needed: number | null;
  kind: MemoryKind;
}): string {
  const { rank, score, needed, kind } = at;
  const field = kind === "episode" ? "episode_k" : "k";
  const last = needed === null ? "" : `; the last returned item has ${needed.toFixed(2)}`;
  return `It is number ${rank} with the score ${score.toFixed(2)}${last}. ${field}=${rank} returns it.`;
}

function describeMissingWords({ query, held, missing }: WhyNot["words"]): string {
  if (query.length === 0) return "The query contains no searchable word.";
  if (held.length === 0) return `It contains none of the words ${missing.join(", ")}.`;
  return `It contains ${held.join(", ")}, which are too common to be searched${missing.length === 0 ? "" : `, and not ${missing.join(", ")}`}.`;
}

function describeLowSimilarity(
  similarity: WhyNot["similarity"],
  vector: PreparedRecall["vector"],
): string {
  if (vector === undefined) return "Meaning was not compared: there is no embedder or no index.";
  if (similarity === null) return "It has no vector yet: `cairn reindex` computes missing vectors.";
  const { cosine, floor } = similarity;
  const message = `Its similarity to the query is ${cosine.toFixed(2)}`;
  return cosine <= floor
    ? `${message}, within the noise of the embedder, which ends at ${floor.toFixed(2)}.`
    : `${message}, above the noise of ${floor.toFixed(2)}, but a hundred others are more similar.`;
}
