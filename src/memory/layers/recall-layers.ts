import { settleAll, type TimeoutOptions, withTimeout } from "../../shared/async.ts";
import { mayOpen } from "../../shared/caller.ts";
import { type ErrorCode, isCairnError } from "../../shared/errors.ts";
import { isPlainObject } from "../../shared/json.ts";
import type { CallOptions, Memory } from "../memory.ts";
import type { Operation } from "../operations/define-operation.ts";
import { isForModel } from "../operations/read/recall.ts";
import { fitResult, listLeftOut, SEPARATOR } from "../recall/fit-result.ts";
import { countCodePoints } from "../recall/format-for-agent.ts";
import { formatWarnings } from "../recall/format-warnings.ts";
import {
  type LayerWarning,
  type RecallOutput,
  type RecallRequest,
  recallInput,
} from "../recall/recall.schema.ts";
import { createWarning, TIMEOUT_MS } from "../recall/unread-layer.ts";

export interface RecallLayer extends Pick<Memory, "name" | "isThere"> {
  executeHere(operation: Operation, input: unknown, options: CallOptions): Promise<unknown>;
}

export type LayeredMemory = RecallLayer & Memory;

interface LayerCall {
  readonly operation: Operation;
  readonly input: unknown;
  readonly options: CallOptions;
}

interface LayerResult {
  readonly layer: string;
  readonly found: RecallOutput;
}

/**
 * Runs the operation in `nearest`. A recall through an interface also reads the accessible outer
 * layers and merges the results. Topic numbers differ between databases, so a recall within a topic
 * only reads the nearest layer.
 */
export async function executeInLayers(
  nearest: RecallLayer,
  outer: () => readonly RecallLayer[],
  { operation, input, options }: LayerCall,
): Promise<unknown> {
  const { caller, surface } = options;
  const isLayered =
    operation.name === "recall" &&
    surface !== undefined &&
    !(isPlainObject(input) && input.topic !== undefined);
  const layers = isLayered ? outer().filter(({ name }) => mayOpen(caller, name)) : [];
  if (layers.length === 0) return nearest.executeHere(operation, input, options);
  return recallLayers(nearest, layers, { operation, input, options });
}

async function recallLayers(
  nearest: RecallLayer,
  outer: readonly RecallLayer[],
  { operation, input, options }: LayerCall,
): Promise<unknown> {
  const { consume, onLeftOut, ...rest } = options;
  const request = recallInput.parse(input);
  // `max_chars` limits the merged result, not each layer's.
  const full = isPlainObject(input) ? { ...input, max_chars: undefined } : input;
  const recallIn = (memory: RecallLayer, request: CallOptions) =>
    memory.executeHere(operation, full, request) as Promise<RecallOutput>;
  const nearestDone = new AbortController();
  const [found, others] = await settleAll(
    recallIn(nearest, rest).finally(() => nearestDone.abort()),
    Promise.all(
      outer.map((layer) =>
        recallOuterLayers(layer, (signal) => recallIn(layer, { ...rest, signal }), {
          after: nearestDone.signal,
          signal: options.signal,
          timeoutMs: request.timeout_ms ?? TIMEOUT_MS,
        }),
      ),
    ),
  );
  const results = others.flatMap(({ result }) => result ?? []);
  const merged = mergeResults(
    [{ layer: nearest.name, found }, ...results],
    others.flatMap(({ warning }) => warning ?? []),
    { request, isModel: isForModel(options), onLeftOut },
  );
  return consume === undefined ? merged : consume(merged);
}

async function recallOuterLayers(
  layer: RecallLayer,
  recall: (signal: AbortSignal) => Promise<RecallOutput>,
  time: TimeoutOptions,
): Promise<{ readonly result?: LayerResult; readonly warning?: LayerWarning }> {
  try {
    const found = await withTimeout(time, async (signal) =>
      (await layer.isThere()) ? recall(signal) : undefined,
    );
    return found === undefined ? {} : { result: { layer: layer.name, found } };
  } catch (error) {
    if (time.signal?.aborted === true) throw error;
    if (isCairnError(error) && OMITTED_ERROR_CODES.has(error.code)) return {};
    return { warning: createWarning(layer.name, error) };
  }
}

const OMITTED_ERROR_CODES: ReadonlySet<ErrorCode> = new Set(["not_found", "forbidden"]);

interface MergeContext {
  readonly request: RecallRequest;
  readonly isModel: boolean;
  readonly onLeftOut: CallOptions["onLeftOut"];
}

/** Merges the layers' results, nearest first, prefixing ids of outer layers. */
function mergeResults(
  [nearest, ...outer]: readonly [LayerResult, ...LayerResult[]],
  warnings: readonly LayerWarning[],
  { request, isModel, onLeftOut }: MergeContext,
): RecallOutput {
  const own = outer.length + warnings.length === 0 ? nearest.found : withLayer(nearest);
  const all = [own, ...outer.map((result) => withLayer(withPrefixedIds(result)))];
  const found = {
    // Clusters about the same subject share a title, so they are identified by their facts.
    concepts: fuseByRank(
      all.map(({ concepts }) => concepts),
      ({ title, summary, facts = [] }) =>
        JSON.stringify([title, summary, ...facts.map(({ statement }) => statement)]),
    ).slice(0, request.k),
    episodes: fuseByRank(
      all.map(({ episodes }) => episodes),
      ({ content }) => content,
    ).slice(0, request.episode_k),
    ...((request.passage_k ?? 0) > 0 && {
      passages: fuseByRank(
        all.map(({ passages = [] }) => passages),
        ({ text }) => text,
      ).slice(0, request.passage_k),
    }),
    conflicts: all.flatMap(({ open_conflicts: conflicts }) => conflicts),
    complete: true,
  };
  const isNothing =
    found.concepts.length + found.episodes.length + (found.passages?.length ?? 0) === 0;
  const room = { ...request, max_chars: countRemainingCharacters(warnings, request.max_chars) };
  const fitted = isNothing ? nearest.found : fitResult(found, room, { isModel });
  onLeftOut?.(listLeftOut(found, fitted));
  return {
    ...fitted,
    ...(warnings.length > 0 && { warnings: [...warnings] }),
    partial: all.some(({ partial }) => partial),
    ...(nearest.found.explain !== undefined && { explain: nearest.found.explain }),
  };
}

/** Reciprocal rank fusion constant of Cormack, Clarke and Büttcher, SIGIR 2009. */
const RRF_RANK_OFFSET = 60;

/**
 * Merges lists, best first. Scores of all layers are comparable and decide; ties are ordered by
 * reciprocal rank fusion, then by layer, nearest first. Items with equal words are deduplicated.
 */
export function fuseByRank<Item extends { readonly score: number }>(
  lists: readonly (readonly Item[])[],
  getWords: (item: Item) => string,
): Item[] {
  const fused = new Map<string, { readonly item: Item; readonly score: number; rank: number }>();
  for (const list of lists) {
    for (const [index, item] of list.entries()) {
      const words = getWords(item);
      const known = fused.get(words);
      const rank = 1 / (RRF_RANK_OFFSET + index + 1) + (known?.rank ?? 0);
      const score = Math.max(item.score, known?.score ?? 0);
      fused.set(words, { item: known?.item ?? item, score, rank });
    }
  }
  return [...fused.values()]
    .sort((a, b) => b.score - a.score || b.rank - a.rank)
    .map(({ item, score }) => (item.score === score ? item : { ...item, score }));
}

function countRemainingCharacters(
  warnings: readonly LayerWarning[],
  limit: number | undefined,
): number | undefined {
  if (limit === undefined || warnings.length === 0) return limit;
  const used = countCodePoints(formatWarnings(warnings)) + countCodePoints(SEPARATOR);
  return used < limit ? limit - used : limit;
}

function withLayer({ layer, found }: LayerResult): RecallOutput {
  return {
    ...found,
    concepts: found.concepts.map((concept) => ({ ...concept, layer })),
    episodes: found.episodes.map((episode) => ({ ...episode, layer })),
    ...(found.passages !== undefined && {
      passages: found.passages.map((passage) => ({ ...passage, layer })),
    }),
    open_conflicts: found.open_conflicts.map((conflict) => ({ ...conflict, layer })),
  };
}

const ID_FIELDS: ReadonlySet<string> = new Set([
  "id",
  "via",
  "cluster_id",
  "episode_id",
  "fact_id",
  "source_id",
  "superseded_by",
  "replaced_by",
  "reverts",
]);

/** Prefixes every item id with its layer: `team/ep:5`. */
function withPrefixedIds({ layer, found }: LayerResult): LayerResult {
  const of = (id: unknown) => (typeof id === "string" ? `${layer}/${id}` : id);
  const prefixed = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(prefixed);
    if (!isPlainObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([field, inner]) => {
        if (ID_FIELDS.has(field)) return [field, of(inner)];
        if (field === "open_conflicts" && Array.isArray(inner)) {
          return [field, inner.map((one) => (typeof one === "string" ? of(one) : prefixed(one)))];
        }
        // A contribution's source is an item unless it is the query or an entity.
        const isLender = field === "from" && value.kind !== "entity" && inner !== "query";
        return [field, isLender ? of(inner) : prefixed(inner)];
      }),
    );
  };
  return { layer, found: prefixed(found) as RecallOutput };
}
