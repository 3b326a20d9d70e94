import { eq } from "drizzle-orm";
import {
  enableGenericPlans,
  readConcurrently,
  type Tx,
  withTimeLimit,
} from "../../database/index.ts";
import type { Deadline } from "../../shared/deadline.ts";
import { notFound } from "../../shared/errors.ts";
import { shorten } from "../../shared/text.ts";
import { concepts } from "../concepts/concept.table.ts";
import type { ConflictRecord } from "../conflicts/conflict.schema.ts";
import type { IndexPart } from "../context/derived-part.ts";
import type { ExecuteOptions } from "../context/execute-options.ts";
import type { MemoryLocation } from "../context/memory-location.ts";
import type { WriteContext } from "../context/write-context.ts";
import { entityId } from "../entities/entity.queries.ts";
import { episodes } from "../episodes/episode.table.ts";
import type { FilterContext } from "../filters/narrowing.ts";
import { kindOfId } from "../input/item-ids.ts";
import {
  DerivedDamage,
  indexUnavailableError,
  requireSoundTables,
} from "../search/derived-damage.ts";
import { toReadableWord } from "../search/fold-text.ts";
import { activate, type Search } from "./activate.ts";
import { type FoundItems, fitResult, listLeftOut } from "./fit-result.ts";
import { GRACE_MS, withinDeadline } from "./limit-to-deadline.ts";
import { loadRecalled, type RecalledItems, type ResultSearch } from "./load-results.ts";
import type { RecalledPassage } from "./passages/passage.schema.ts";
import { type FoundPassageList, recallPassages } from "./passages/recall-passages.ts";
import type { PreparedRecall } from "./prepare-recall.ts";
import {
  type Activation,
  findLowestShown,
  findRelevanceThreshold,
  type Ranked,
  rankItems,
} from "./rank.ts";
import type { RecallOutput, RecallRequest } from "./recall.schema.ts";
import { type RecalledConcept, type RecalledEpisode, recallInput } from "./recall.schema.ts";
import { type RecallScope, resolveScope } from "./recall-scope.ts";
import { type ActivatedConcept, collectActivations } from "./spread-activation.ts";
import type { MeantItem } from "./why-not.schema.ts";

const ITEMS_PER_SLICE = { concepts: 5, episodes: 20 };

interface RankedItems {
  readonly concepts: readonly Ranked<ActivatedConcept>[];
  readonly episodes: readonly Ranked<Activation>[];
}

interface LoadedItems extends RecalledItems {
  readonly isWhole: boolean;
}

async function loadInSlices(
  tx: Tx,
  ranked: RankedItems,
  search: ResultSearch & { readonly deadline: Deadline | undefined },
): Promise<LoadedItems> {
  const { deadline } = search;
  if (deadline === undefined) return { ...(await loadRecalled(tx, ranked, search)), isWhole: true };
  const concepts: RecalledConcept[] = [];
  const episodes: RecalledEpisode[] = [];
  const conflicts = new Map<string, ConflictRecord>();
  const overdue = deadline.extendedBy(GRACE_MS);
  const isOverdue = () => overdue.isPast;
  const wholeResult = () => ({ concepts, episodes, conflicts: [...conflicts.values()] });
  for (
    let slice = 0;
    slice * ITEMS_PER_SLICE.concepts < ranked.concepts.length ||
    slice * ITEMS_PER_SLICE.episodes < ranked.episodes.length;
    slice += 1
  ) {
    const requested = takeSlice(ranked, slice);
    const first = slice === 0;
    const isLate = first ? isOverdue : () => deadline.isPast;
    const loaded = await withTimeLimit(tx, isLate, () =>
      withinDeadline({ isLate }, () => loadRecalled(tx, requested, search), undefined),
    );
    const stored =
      loaded ??
      (first ? await loadRecalled(tx, { ...requested, concepts: [] }, search) : undefined);
    concepts.push(...(stored?.concepts ?? []));
    episodes.push(...(stored?.episodes ?? []));
    for (const conflict of stored?.conflicts ?? []) conflicts.set(conflict.id, conflict);
    if (loaded === undefined) return { ...wholeResult(), isWhole: false };
  }
  return { ...wholeResult(), isWhole: true };
}

function takeSlice({ concepts, episodes }: RankedItems, slice: number): RankedItems {
  const sliceOf = <Item>(items: readonly Item[], size: number) =>
    items.slice(slice * size, (slice + 1) * size);
  return {
    concepts: sliceOf(concepts, ITEMS_PER_SLICE.concepts),
    episodes: sliceOf(episodes, ITEMS_PER_SLICE.episodes),
  };
}

interface RecallOptions {
  readonly location?: MemoryLocation;
  readonly isModel?: boolean;
  readonly onLeftOut?: ExecuteOptions["onLeftOut"];
}

/**
 * Searches memory for a query or entity in one read transaction: finds seeds by text, vector and
 * entity, spreads activation from the strongest over the graph, and returns the most activated
 * items.
 */
export async function recall(
  {
    location,
    warnDamage,
    isModel,
    onLeftOut,
    ...context
  }: FilterContext & Pick<WriteContext, "warnDamage"> & RecallOptions,
  request: RecallRequest,
  prepared: PreparedRecall,
): Promise<RecallOutput> {
  const isLate = () => prepared.deadline?.isPast === true;
  const { tx } = context;
  await enableGenericPlans(tx);
  const scope = await resolveScope(context, request, prepared.entity);
  const find = async () =>
    scope === undefined
      ? NO_RESULT
      : withTimeLimit(tx, isLate, () =>
          findWithIndexes({ tx, warnDamage }, { request, prepared, scope, isLate }),
        );
  const listen = () => loadPassages(context, { request, prepared, scope, warnDamage, isLate });
  const [found, message] = asksForPassages(request)
    ? await readConcurrently(tx, [find, listen])
    : [await find(), NO_PASSAGES];
  const everything = {
    ...found,
    passages: selectRelevantPassages(message.passages, found, request),
  };
  const fitted = fitResult(everything, request, {
    emptyLocation: (await isEmpty(tx, everything)) ? location : undefined,
    isModel,
  });
  onLeftOut?.(listLeftOut(everything, fitted));
  return {
    ...fitted,
    partial: prepared.missingVectors > 0 || !found.complete || !message.complete,
    ...(request.explain && { explain: explainQuery(prepared, found) }),
  };
}

type PassagesRequest = Pick<Search, "request" | "prepared" | "isLate"> &
  Pick<WriteContext, "warnDamage"> & { readonly scope: RecallScope | undefined };

const NO_PASSAGES: FoundPassageList = { passages: [], complete: true };

const asksForPassages = ({ passage_k: count = 0 }: RecallRequest) => count > 0;

/** Ignores the entity filter: a passage may be about a file that no episode mentions. */
async function loadPassages(
  context: FilterContext,
  { scope, warnDamage, ...search }: PassagesRequest,
): Promise<FoundPassageList> {
  const { request } = search;
  const within = scope ?? (await resolveScope(context, { ...request, entity: undefined }));
  if (within === undefined) return NO_PASSAGES;
  try {
    return await recallPassages(context.tx, { ...search, scope: within });
  } catch (error) {
    const part = error instanceof DerivedDamage ? error.part : undefined;
    if (part === undefined) throw error;
    await requireSoundTables(context.tx, error);
    warnDamage(part);
    return { passages: [], complete: false };
  }
}

/** Passages are ranked separately, so they have their own relevance threshold. */
function selectRelevantPassages(
  passages: readonly RecalledPassage[],
  { concepts: found, episodes: others }: Pick<FoundItems, "concepts" | "episodes">,
  { min_score: minScore }: RecallRequest,
): readonly RecalledPassage[] {
  const best = Math.max(0, ...[...found, ...others].map(({ score }) => score));
  const threshold = minScore ?? findRelevanceThreshold("statement", best);
  return passages.filter(({ score }) => score >= threshold);
}

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

interface FoundResult extends FoundItems {
  readonly certainty: number;
}

const NO_RESULT: FoundResult = {
  concepts: [],
  episodes: [],
  conflicts: [],
  complete: true,
  certainty: 1,
};

/** If one of text index and vectors is damaged, searches only the other. */
async function findWithIndexes(
  { tx, warnDamage }: Pick<WriteContext, "tx" | "warnDamage">,
  search: Search,
): Promise<FoundResult> {
  try {
    return await findItems(tx, search);
  } catch (error) {
    const part = error instanceof DerivedDamage ? error.part : undefined;
    if (part === undefined) throw error;
    await requireSoundTables(tx, error);
    const prepared = { ...search.prepared, ...WITHOUT_INDEX[part] };
    const { words, vector, entities } = prepared;
    const canFind = words.length > 0 || vector !== undefined || entities.length > 0;
    if (!canFind && search.scope.entity === undefined) throw indexUnavailableError(part, error);
    warnDamage(part);
    return {
      ...(await findWithIndexes({ tx, warnDamage }, { ...search, prepared })),
      complete: false,
    };
  }
}

const WITHOUT_INDEX: Readonly<Record<IndexPart, Partial<PreparedRecall>>> = {
  "text index": { words: [], contextWords: [] },
  vectors: { vector: undefined },
};

async function findItems(tx: Tx, search: Search): Promise<FoundResult> {
  const { request, scope } = search;
  const { activated, certainty, seeds, entities, arrivals, complete } = await activate(tx, search);
  const minScore = findLowestShown(request.min_score, collectActivations(activated));
  const scoreOfEpisode = (number: number) => activated.episodes.get(number)?.score ?? 0;
  const resultContext = { scope, seeds, entities, arrivals, scoreOfEpisode, minScore };
  const rankedConcepts = rankItems(activated.concepts, ({ parts }) => parts, {
    count: request.k,
    minScore,
  });
  const rankedEpisodes = rankItems(activated.episodes, (parts) => parts, {
    count: request.episode_k,
    minScore,
  });
  const ranked = { concepts: rankedConcepts, episodes: rankedEpisodes };
  const { isWhole, ...items } = await loadInSlices(tx, ranked, {
    ...resultContext,
    deadline: search.prepared.deadline,
  });
  return {
    ...items,
    certainty,
    complete: complete && isWhole,
  };
}

function explainQuery(prepared: PreparedRecall, { certainty }: FoundResult) {
  return {
    words: prepared.words.map(toReadableWord),
    entities: prepared.entities.map(entityId),
    vectors: prepared.vector !== undefined,
    missing_vectors: prepared.missingVectors,
    certainty: Math.round(certainty * 1e6) / 1e6,
  };
}

/** Returns true if a text given as an id may be a search query. */
export function mayBeWords(text: string): boolean {
  const kind = kindOfId(text);
  return kind === undefined || kind === "concept" || (kind === "entity" && /\s/.test(text));
}

export const requestOfWords = (words: string) =>
  recallInput.parse({ query: words, k: 3, episode_k: 5 });

const TEXT_CHARACTERS = 300;

/**
 * Finds the item described by the words, and alternatives; undefined if the text is a concept id.
 * Throws not_found if nothing matches.
 */
export async function itemOfWords(
  context: FilterContext & Pick<WriteContext, "warnDamage">,
  words: string,
  prepared: PreparedRecall,
): Promise<{ readonly id: string; readonly meant: MeantItem } | undefined> {
  if (await isConcept(context.tx, words)) return undefined;
  const found = await recall(context, requestOfWords(words), prepared);
  const [first, ...others] = [
    ...found.concepts
      .filter(({ facts }) => facts === undefined)
      .map(({ id, score, title }) => ({ id, score, text: title })),
    ...found.episodes.map(({ id, score, content }) => ({ id, score, text: content })),
  ].sort((a, b) => b.score - a.score);
  if (first === undefined) {
    throw notFound(
      `id: no item matches "${shorten(words, 80)}". Use other words, or an id such as ep:3.`,
    );
  }
  const toShortItem = ({ id, text }: { id: string; text: string }) => ({
    id,
    text: shorten(text, TEXT_CHARACTERS),
  });
  return {
    id: first.id,
    meant: { text: toShortItem(first).text, others: others.map(toShortItem) },
  };
}

async function isConcept(tx: Tx, id: string): Promise<boolean> {
  const found = await tx
    .select({ id: concepts.id })
    .from(concepts)
    .where(eq(concepts.publicId, id))
    .limit(1);
  return found.length > 0;
}
