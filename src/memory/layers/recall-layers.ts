import { type ErrorCode, isCairnError } from "../../kernel/errors.ts";
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

/** Recall over the nearest layer and those behind it, which are only ever read. */
export async function recallLayers(
  nearest: Layer,
  farther: readonly Layer[],
  { input, options }: { readonly input: unknown; readonly options: CallOptions },
): Promise<unknown> {
  const { consume, ...asked } = options;
  // The number of an event of the nearest says nothing of the others.
  const { seen: _ofNearest, onLeftOut, ...elsewhere } = asked;
  const found = await nearest.recall(asked);
  const own: LayerAnswer = { layer: nearest.name, found };
  const others = await Promise.all(farther.map((layer) => answerOf(layer, elsewhere)));
  const merged = mergeRecalled(
    {
      answers: [own, ...others.flatMap(({ answer }) => answer ?? [])],
      warnings: others.flatMap(({ warning }) => warning ?? []),
    },
    recallInput.parse(input),
    { isModel: isForModel(options), onLeftOut },
  );
  return consume === undefined ? merged : consume(merged);
}

interface Asked {
  readonly answer?: LayerAnswer;
  readonly warning?: LayerWarning;
}

/** Neither where it does not know the topic or entity that is asked about, or the caller may not ask. */
async function answerOf(layer: Layer, options: CallOptions): Promise<Asked> {
  try {
    return { answer: { layer: layer.name, found: await layer.recall(options) } };
  } catch (error) {
    // Nobody waits for the answer any more.
    if (options.signal?.aborted === true) throw error;
    if (isCairnError(error) && LEFT_OUT.has(error.code)) return {};
    return { warning: warningOf(layer.name, error) };
  }
}

const LEFT_OUT: ReadonlySet<ErrorCode> = new Set(["not_found", "forbidden"]);

/** The number of a topic is another one's in another layer: it is asked in the nearest alone. */
export function isOfOneLayer(input: unknown): boolean {
  const { topic } = recallInput.partial().safeParse(input).data ?? {};
  return topic !== undefined;
}
