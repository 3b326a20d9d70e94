import { isDispute } from "./block.ts";

const MIN_SIMILAR_RATIO = 0.6;
const FUNCTION_WORDS = new Set(
  "a an the to of in on for and or is are be with we i you it this that should must always never please use instead not do dont don use uses used using prefer rather than over all everything only by as at our your here project".split(
    " ",
  ),
);

export class TextDeduplicator {
  readonly #texts: ReadonlySet<string>[] = [];

  /**
   * Returns false if a similar text was already added; otherwise adds it. The sides of a dispute
   * differ, even if only in a negation.
   */
  take(text: string, standing?: string): boolean {
    const words = splitWords(text);
    if (
      !isDispute(standing) &&
      words.size > 0 &&
      this.#texts.some((other) => areSimilar(words, other))
    )
      return false;
    this.#texts.push(words);
    return true;
  }
}

/** Texts that differ in a number are distinct: 10 seconds versus 30 seconds. */
function areSimilar(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  const common = [...a].filter((word) => b.has(word)).length;
  const all = a.size + b.size - common;
  if (common / Math.max(1, all) < MIN_SIMILAR_RATIO && common < Math.min(a.size, b.size))
    return false;
  const differing = [...a, ...b].filter((word) => !(a.has(word) && b.has(word)));
  return !differing.some((word) => /\d/.test(word));
}

function splitWords(text: string): ReadonlySet<string> {
  const words = text.toLowerCase().match(/[\p{L}\p{N}_.$%-]*[\p{L}\p{N}$%]/gu) ?? [];
  return new Set(words.filter((word) => !FUNCTION_WORDS.has(word)).map(stemWord));
}

function stemWord(word: string): string {
  return /\d/.test(word) ? word : word.replace(/(?:ing|ed|es|s|ly)$/u, "");
}
