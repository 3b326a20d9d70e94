import type { Reading, TextInContext } from "../embedder.ts";
import { normalisedMean } from "../vector.ts";
import { windowBounds } from "../windows.ts";
import type { MinilmModel } from "./load-minilm.ts";

/**
 * Tokens of what precedes a text that are read with it: about two turns of a conversation. A turn
 * such as "Yes, in March" means what it answers (late chunking, Günther et al. 2024).
 */
const CONTEXT_TOKENS = 64;

/**
 * Reads a text after the end of what precedes it. The vector is pooled over its own tokens, which
 * took meaning from the others; a text of several windows has enough of its own and is read alone.
 */
export async function readInContext(
  model: MinilmModel,
  { text, before }: TextInContext,
  signal: AbortSignal | undefined,
): Promise<Reading> {
  const own = model.tokenize(text);
  const ids = own.map(({ id }) => id);
  const room = Math.min(CONTEXT_TOKENS, model.contentTokens - own.length);
  const context = before === "" || room <= 0 ? [] : model.tokenize(before).slice(-room);
  const vectors: Float32Array[] = [];
  const parts: Float32Array[] = [];
  for (const [start, end] of windowBounds(ids.length, model.contentTokens)) {
    signal?.throwIfAborted();
    const window = [...context.map(({ id }) => id), ...ids.slice(start, end)];
    const { embedding, tokens } = await model.runForTokens(window);
    const ownTokens = tokens.slice(context.length);
    vectors.push(...ownTokens);
    parts.push(context.length === 0 ? embedding : normalisedMean(ownTokens));
  }
  return {
    vector: normalisedMean(parts),
    tokens: vectors.map((vector, index) => ({ text: own[index]?.text ?? "", vector })),
  };
}
