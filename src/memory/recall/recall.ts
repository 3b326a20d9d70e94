import { keepPlans, sideBySide, type Tx, withTimeLimit } from "../../database/index.ts";
import { concepts } from "../concepts/concept.table.ts";
import type { IndexPart } from "../context/derived-part.ts";
import type { ExecuteOptions } from "../context/execute-options.ts";
import type { MemoryPlace } from "../context/memory-place.ts";
import type { WriteContext } from "../context/write-context.ts";
import { entityId } from "../entities/entity.queries.ts";
import { episodes } from "../episodes/episode.table.ts";
import type { FilterContext } from "../filters/define-filter.ts";
import { cannotAnswer, DerivedDamage } from "../search/derived-damage.ts";
import { readableWord } from "../search/emoji-words.ts";

import { activate, type Search } from "./activate.ts";

import { type FoundItems, fitResult, leftOutOf } from "./fit-result.ts";
import { loadInSlices } from "./load-in-slices.ts";
import { type FoundPassageList, recallPassages } from "./passages/recall-passages.ts";
import type { PreparedRecall } from "./prepare-recall.ts";
import { lowestShown, rank } from "./rank.ts";
import type { RecallOutput, RecallRequest } from "./recall.schema.ts";
import { type RecallScope, resolveScope } from "./recall-scope.ts";

interface RecallPlace {
  readonly place?: MemoryPlace;
  /** The answer's text is written for a model. */
  readonly isModel?: boolean;
  readonly onLeftOut?: ExecuteOptions["onLeftOut"];
}

/**
 * Answers what memory holds about a query or an entity, in one read transaction: it finds seeds by
 * text, vector and entity, spreads activation from the strongest over the graph, and returns the
 * most activated items.
 */
export async function recall(
  {
    place,
    tellDamage,
    isModel,
    onLeftOut,
    ...context
  }: FilterContext & Pick<WriteContext, "tellDamage"> & RecallPlace,
  request: RecallRequest,
  prepared: PreparedRecall,
): Promise<RecallOutput> {
  const isLate = () => prepared.deadline?.isPast === true;
  const { tx } = context;
  await keepPlans(tx);
  const scope = await resolveScope(context, request, prepared.entity);
  const find = async () =>
    scope === undefined
      ? NOTHING
      : withTimeLimit(tx, isLate, () =>
          findAround({ tx, tellDamage }, { request, prepared, scope, isLate }),
        );
  const listen = () => passagesOf(context, { request, prepared, scope, tellDamage, isLate });
  const [found, said] = asksForPassages(request)
    ? await sideBySide(tx, [find, listen])
    : [await find(), NO_PASSAGES];
  const everything = { ...found, passages: said.passages };
  const fitted = fitResult(everything, request, {
    emptyPlace: (await isEmpty(tx, everything)) ? place : undefined,
    isModel,
  });
  onLeftOut?.(leftOutOf(everything, fitted));
  return {
    ...fitted,
    partial: prepared.missingVectors > 0 || !found.complete || !said.complete,
    ...(request.explain && { explain: explainQuery(prepared, found) }),
  };
}

type PassagesWanted = Pick<Search, "request" | "prepared" | "isLate"> &
  Pick<WriteContext, "tellDamage"> & { readonly scope: RecallScope | undefined };

const NO_PASSAGES: FoundPassageList = { passages: [], complete: true };

const asksForPassages = ({ passage_k: count = 0 }: RecallRequest) => count > 0;

/**
 * The entity filter does not narrow passages: a file that no episode mentions may still be the file
 * of a passage.
 */
async function passagesOf(
  context: FilterContext,
  { scope, tellDamage, ...search }: PassagesWanted,
): Promise<FoundPassageList> {
  const { request, isLate } = search;
  const within = scope ?? (await resolveScope(context, { ...request, entity: undefined }));
  if (within === undefined) return NO_PASSAGES;
  try {
    return await withTimeLimit(context.tx, isLate, () =>
      recallPassages(context.tx, { ...search, scope: within }),
    );
  } catch (error) {
    const part = error instanceof DerivedDamage ? error.part : undefined;
    if (part === undefined) throw error;
    tellDamage(part);
    return { passages: [], complete: false };
  }
}

/** True if nothing was found because the memory is empty. */
async function isEmpty(
  tx: Tx,
  { concepts: found, episodes: others, passages = [] }: FoundItems,
): Promise<boolean> {
  if (hasItems({ concepts: found, episodes: others, passages })) return false;
  const [episode] = await tx.select({ id: episodes.id }).from(episodes).limit(1);
  const [concept] = await tx.select({ id: concepts.id }).from(concepts).limit(1);
  return episode === undefined && concept === undefined;
}

function hasItems({
  concepts: found,
  episodes: others,
  passages = [],
}: Pick<FoundItems, "concepts" | "episodes" | "passages">): boolean {
  return found.length + others.length + passages.length > 0;
}

interface Found extends FoundItems {
  /** How certain it is that memory knows the subject of the query, 0..1. */
  readonly certainty: number;
}

const NOTHING: Found = {
  concepts: [],
  episodes: [],
  conflicts: [],
  complete: true,
  certainty: 1,
};

/** If the text index is damaged, only vectors are searched, and the reverse. */
async function findAround(
  { tx, tellDamage }: Pick<WriteContext, "tx" | "tellDamage">,
  search: Search,
): Promise<Found> {
  try {
    return await find(tx, search);
  } catch (error) {
    const part = error instanceof DerivedDamage ? error.part : undefined;
    if (part === undefined) throw error;
    const prepared = { ...search.prepared, ...WITHOUT[part] };
    const { words, vector, entities } = prepared;
    const canFind = words.length > 0 || vector !== undefined || entities.length > 0;
    if (!canFind && search.scope.entity === undefined) throw cannotAnswer(part, error);
    tellDamage(part);
    return { ...(await findAround({ tx, tellDamage }, { ...search, prepared })), complete: false };
  }
}

const WITHOUT: Readonly<Record<IndexPart, Partial<PreparedRecall>>> = {
  "text index": { words: [], contextWords: [] },
  vectors: { vector: undefined },
};

async function find(tx: Tx, search: Search): Promise<Found> {
  const { request, scope } = search;
  const { activated, certainty, seeds, entities, arrivals, complete } = await activate(tx, search);
  const least = lowestShown(request.min_score, [
    ...activated.episodes.values(),
    ...Array.from(activated.concepts.values(), ({ parts }) => parts),
  ]);
  const scoreOfEpisode = (number: number) => activated.episodes.get(number)?.score ?? 0;
  const shown = { scope, seeds, entities, arrivals, scoreOfEpisode, least };
  const rankedConcepts = rank(activated.concepts, ({ parts }) => parts, {
    count: request.k,
    least,
  });
  const rankedEpisodes = rank(activated.episodes, (parts) => parts, {
    count: request.episode_k,
    least,
  });
  const ranked = { concepts: rankedConcepts, episodes: rankedEpisodes };
  const { isWhole, ...items } = await loadInSlices(tx, ranked, {
    ...shown,
    deadline: search.prepared.deadline,
  });
  return {
    ...items,
    certainty,
    complete: complete && isWhole,
  };
}

function explainQuery(prepared: PreparedRecall, { certainty }: Found) {
  return {
    words: prepared.words.map(readableWord),
    entities: prepared.entities.map(entityId),
    vectors: prepared.vector !== undefined,
    missing_vectors: prepared.missingVectors,
    certainty: Math.round(certainty * 1e6) / 1e6,
  };
}
