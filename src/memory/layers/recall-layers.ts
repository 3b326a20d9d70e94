import { CairnError, type ErrorCode, isCairnError } from "../../kernel/errors.ts";
import { together } from "../../kernel/together.ts";
import type { CallOptions } from "../memory.ts";
import { isForModel } from "../operations/read/recall.ts";
import { type LayerWarning, type RecallOutput, recallInput } from "../recall/recall.schema.ts";
import { type LayerAnswer, mergeRecalled } from "./merge-recalled.ts";
import { warningOf } from "./unread-layer.ts";

/** One layer, as far as recall needs it. */
export interface Layer {
  readonly name: string;
  recall(options: CallOptions): Promise<RecallOutput>;
}

/** How long a farther layer may take once the nearest has answered; where a recall has a limit, that long. */
const PATIENCE_MS = 3_000;

/** Recall over the nearest layer and those behind it, which are only ever read. */
export async function recallLayers(
  nearest: Layer,
  farther: readonly Layer[],
  { input, options }: { readonly input: unknown; readonly options: CallOptions },
): Promise<unknown> {
  const { consume, ...asked } = options;
  // The number of an event of the nearest says nothing of the others.
  const { seen: _ofNearest, onLeftOut, ...elsewhere } = asked;
  const request = recallInput.parse(input);
  const nearestDone = new AbortController();
  // All at once: on a server they share its round trips.
  const [found, others] = await together(
    nearest.recall(asked).finally(() => nearestDone.abort()),
    Promise.all(
      farther.map((layer) =>
        answerOf(layer, elsewhere, {
          after: nearestDone.signal,
          patienceMs: request.timeout_ms ?? PATIENCE_MS,
        }),
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
    { isModel: isForModel(options), onLeftOut },
  );
  return consume === undefined ? merged : consume(merged);
}

interface Asked {
  readonly answer?: LayerAnswer;
  readonly warning?: LayerWarning;
}

/** Neither where it does not know the topic or entity that is asked about, or the caller may not ask. */
async function answerOf(layer: Layer, options: CallOptions, wait: Wait): Promise<Asked> {
  try {
    const found = await inTime(wait, options.signal, (signal) =>
      layer.recall({ ...options, signal }),
    );
    return { answer: { layer: layer.name, found } };
  } catch (error) {
    // Nobody waits for the answer any more.
    if (options.signal?.aborted === true) throw error;
    if (isCairnError(error) && LEFT_OUT.has(error.code)) return {};
    return { warning: warningOf(layer.name, error) };
  }
}

interface Wait {
  /** Aborts when the waiting begins. */
  readonly after: AbortSignal;
  readonly patienceMs: number;
}

/**
 * Throws busy where it takes too long, whether or not the work ends with its signal: a server that does not
 * answer holds nobody up.
 */
async function inTime<T>(
  { after, patienceMs }: Wait,
  given: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const late = new AbortController();
  const timer: { id?: NodeJS.Timeout } = {};
  const isLate = new Promise<never>((_resolve, reject) => {
    const begin = () => {
      timer.id = setTimeout(() => {
        const error = new CairnError("busy", `It did not answer within ${patienceMs} ms.`);
        reject(error);
        late.abort(error);
      }, patienceMs);
    };
    after.addEventListener("abort", begin, { once: true });
  });
  const signal = given === undefined ? late.signal : AbortSignal.any([given, late.signal]);
  const working = work(signal);
  // Where it is not waited for any more, nobody asks what became of it.
  working.catch(() => undefined);
  try {
    return await Promise.race([working, isLate]);
  } finally {
    clearTimeout(timer.id);
  }
}

const LEFT_OUT: ReadonlySet<ErrorCode> = new Set(["not_found", "forbidden"]);

/** The number of a topic is another one's in another layer: it is asked in the nearest alone. */
export function isOfOneLayer(input: unknown): boolean {
  const { topic } = recallInput.partial().safeParse(input).data ?? {};
  return topic !== undefined;
}
