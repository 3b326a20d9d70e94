import type { Reading, TextInContext, TextRole } from "../embedder.ts";
import { normalisedMean } from "../vector.ts";
import { windowBounds } from "../windows.ts";
import type { EncoderModel } from "./load-model.ts";

/**
 * Number of tokens of the preceding text are read with a text: about two turns of a conversation. A
 * turn such as "Yes, in March" takes its meaning from what it answers (late chunking, Günther et
 * al. 2024).
 */
const CONTEXT_TOKENS = 64;

export interface ReadOptions {
  readonly role: TextRole;
  readonly signal: AbortSignal | undefined;
}

/**
 * Reads a text after the end of the preceding one. The vector is pooled over the text's own tokens,
 * which take meaning from the others. A text of several windows has enough context and is read
 * alone. Each run reads one window: quantisation scales activations over the whole batch, so in a
 * batch a text's vector would depend on its neighbours (cosine down to 0.97), and batches save only
 * a tenth of the time.
 */
export function readInContext(
  model: EncoderModel,
  { text, before }: TextInContext,
  { role, signal }: ReadOptions,
): Reading {
  const own = model.tokenize(text);
  const ids = own.map(({ id }) => id);
  const room = model.readsContext ? Math.min(CONTEXT_TOKENS, model.contentTokens - own.length) : 0;
  const context = before === "" || room <= 0 ? [] : model.tokenize(before).slice(-room);
  const tokens: Float32Array[] = [];
  const parts: Float32Array[] = [];
  for (const [start, end] of windowBounds(ids.length, model.contentTokens)) {
    signal?.throwIfAborted();
    const window = [...context.map(({ id }) => id), ...ids.slice(start, end)];
    const output = model.run(window, role);
    const ownTokens = output.tokens.slice(context.length);
    tokens.push(...ownTokens);
    const { length } = output.vector;
    const cut = () => ownTokens.map((token) => token.subarray(0, length));
    parts.push(context.length === 0 ? output.vector : normalisedMean(cut()));
  }
  return {
    vector: normalisedMean(parts),
    tokens: tokens.map((vector, index) => ({ text: own[index]?.text ?? "", vector })),
  };
}
