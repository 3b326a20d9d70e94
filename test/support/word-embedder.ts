import {
  type Embedder,
  type EmbedOptions,
  normalise,
  type Reading,
  type TextInContext,
} from "../../src/embedding/index.ts";
import { isStopWord, splitWords } from "../../src/memory/search/query-words.ts";
import { waitFixedTime } from "./wait-fixed-time.ts";

const DIMENSIONS = 256;

export interface WordEmbedder extends Embedder {
  readonly seen: string[];
  failure: Error | undefined;
  delayMs: number;
}

/**
 * Deterministic model: texts are similar if they share words or synonyms. Each word maps to a
 * fixed vector.
 */
export function createWordEmbedder(
  synonyms: readonly (readonly string[])[] = [],
  identity = "words:1",
): WordEmbedder {
  const meaning = new Map(
    synonyms.flatMap((group) => group.map((word): [string, string] => [word, group[0] ?? word])),
  );
  const embedder: WordEmbedder = {
    identity,
    batchSize: 8,
    seen: [],
    failure: undefined,
    delayMs: 0,
    async embed(texts, options = {}) {
      if (embedder.delayMs > 0) await waitFixedTime(embedder.delayMs, "slow response");
      options.signal?.throwIfAborted();
      if (embedder.failure !== undefined) throw embedder.failure;
      embedder.seen.push(...texts);
      return texts.map((text) => embed(text, meaning));
    },
    close: async () => undefined,
  };
  return embedder;
}

/** Weight of the preceding words in a text's vector. */
const BEFORE_SHARE = 0.2;

/**
 * A word embedder that also returns a vector per token and considers the preceding text.
 * `contexts` records its input.
 */
export function createReadingEmbedder(
  synonyms: readonly (readonly string[])[] = [],
): WordEmbedder & { readonly contexts: TextInContext[] } {
  const words = createWordEmbedder(synonyms, "reading-words:1");
  const contexts: TextInContext[] = [];
  return Object.assign(words, {
    contexts,
    async read(texts: readonly TextInContext[], options: EmbedOptions = {}): Promise<Reading[]> {
      contexts.push(...texts);
      const vectors = await words.embed(
        texts.map(({ text }) => text),
        options,
      );
      return texts.map(({ text, before }, index) => ({
        vector: after(before, vectors[index] ?? new Float32Array()),
        tokens: splitWords(text).map((word) => ({ text: word, vector: directionOf(word) })),
      }));
    },
  });
}

function after(before: string, own: Float32Array): Float32Array {
  const context = embed(before, new Map());
  return normalise(own.map((value, index) => value + BEFORE_SHARE * (context[index] ?? 0)));
}

function embed(text: string, meaning: ReadonlyMap<string, string>): Float32Array {
  const sum = new Float32Array(DIMENSIONS);
  for (const word of splitWords(text).filter((candidate) => !isStopWord(candidate))) {
    const direction = directionOf(meaning.get(word) ?? word);
    for (let index = 0; index < DIMENSIONS; index += 1) {
      sum[index] = (sum[index] ?? 0) + (direction[index] ?? 0);
    }
  }
  return normalise(sum);
}

function directionOf(word: string): Float32Array {
  let state = 2_166_136_261;
  for (const character of word)
    state = Math.imul(state ^ (character.codePointAt(0) ?? 0), 16_777_619);
  return Float32Array.from({ length: DIMENSIONS }, () => {
    state = Math.imul(state ^ (state >>> 15), 2_246_822_519) + 0x9e37_79b9;
    return (state >>> 0) / 2 ** 32 - 0.5;
  });
}
