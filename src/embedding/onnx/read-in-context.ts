import type { Reading, TextInContext, TextRole } from "../embedder.ts";
import { normalisedMean } from "../vector.ts";
import { windowBounds } from "../windows.ts";
import type { EncoderModel } from "./load-model.ts";

/**
 * Tokens of what precedes a text that are read with it: about two turns of a conversation. A turn
 * such as "Yes, in March" means what it answers (late chunking, Günther et al. 2024).
 */
const CONTEXT_TOKENS = 64;

export interface ReadOptions {
  readonly role: TextRole;
  readonly signal: AbortSignal | undefined;
}

/**
 * Reads a text after the end of what precedes it. The vector is pooled over its own tokens, which
 * took meaning from the others; a text of several windows has enough of its own and is read alone.
 *
 * One window a run: quantisation scales its activations over the whole batch, so in a batch a
 * text's vector would depend on its neighbours (cosine down to 0.97), for a gain of a tenth in time.
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
