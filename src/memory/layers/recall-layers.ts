import { settleAll, type TimeoutOptions, withTimeout } from "../../shared/async.ts";
import { type ErrorCode, isCairnError } from "../../shared/errors.ts";
import { isPlainObject } from "../../shared/json.ts";
import { SharedSearch } from "../context/shared-search.ts";
import type { CallOptions } from "../memory.ts";
import { isForModel } from "../operations/read/recall.ts";
import { type LayerWarning, type RecallOutput, recallInput } from "../recall/recall.schema.ts";
import { PATIENCE_MS, warningOf } from "../recall/unread-layer.ts";
import { type LayerAnswer, mergeRecalled } from "./merge-recalled.ts";

/** One layer, as far as recall needs it. */
export interface Layer {
  readonly name: string;
  /** Asked of a farther one before it is read; one that cannot be looked at is said to be unread. */
  isThere(): Promise<boolean>;
  recall(options: CallOptions): Promise<RecallOutput>;
}

/** Recall over the nearest layer and those behind it, which are only ever read. */
export async function recallLayers(
  nearest: Layer,
  farther: readonly Layer[],
  { input, options }: { readonly input: unknown; readonly options: CallOptions },
): Promise<unknown> {
  const { consume, ...given } = options;
  const partOf = new SharedSearch([nearest, ...farther].map(({ name }) => name));
  const asked = { ...given, partOf };
  // The number of an event of the nearest says nothing of the others.
  const { seen: _ofNearest, onLeftOut, ...elsewhere } = asked;
  const request = recallInput.parse(input);
  const nearestDone = new AbortController();
  // All at once: on a server they share its round trips.
  const [found, others] = await settleAll(
    nearest.recall(asked).finally(() => {
      partOf.leave(nearest.name);
      nearestDone.abort();
    }),
    Promise.all(
      farther.map((layer) =>
        answerOf(layer, elsewhere, {
          after: nearestDone.signal,
          // Where a recall has a limit, that long.
          patienceMs: request.timeout_ms ?? PATIENCE_MS,
        }).finally(() => partOf.leave(layer.name)),
      ),
    ),
  );
  const own: LayerAnswer = { layer: nearest.name, found };
  const merged = mergeRecalled(
    {
      answers: [own, ...others.flatMap(({ answer }) => answer ?? [])],
      warnings: others.flatMap(({ warning }) => warning ?? []),
    },
    request,
    {
      ...{ isModel: isForModel(options), onLeftOut },
      // None of the others is there: it is the answer of one database.
      isAlone: others.every(({ isThere }) => isThere === false),
    },
  );
  return consume === undefined ? merged : consume(merged);
}

interface Asked {
  readonly isThere?: false;
  readonly answer?: LayerAnswer;
  readonly warning?: LayerWarning;
}

/** Neither where it does not know the topic or entity that is asked about, or the caller may not ask. */
async function answerOf(layer: Layer, options: CallOptions, wait: TimeoutOptions): Promise<Asked> {
  try {
    const found = await withTimeout({ ...wait, signal: options.signal }, async (signal) =>
      (await layer.isThere().catch(() => true)) ? layer.recall({ ...options, signal }) : undefined,
    );
    if (found === undefined) return { isThere: false };
    return { answer: { layer: layer.name, found } };
  } catch (error) {
    // Nobody waits for the answer any more.
    if (options.signal?.aborted === true) throw error;
    if (isCairnError(error) && LEFT_OUT.has(error.code)) return {};
    return { warning: warningOf(layer.name, error) };
  }
}

const LEFT_OUT: ReadonlySet<ErrorCode> = new Set(["not_found", "forbidden"]);

/**
 * The number of a topic is another one's in another layer: it is asked in the nearest alone. An input that is
 * none of recall's is refused there, whichever way it goes.
 */
export function isOfOneLayer(input: unknown): boolean {
  return isPlainObject(input) && input.topic !== undefined;
}
