import { lazy } from "../../shared/collections.ts";
import { createAlternatives, loadFunctionWords, matchGroups, wordsAfterNegation } from "./index.ts";

/** Longer texts contain several statements and are not analysed. */
export const MAX_STATEMENT_CHARACTERS = 1_000;

export interface Wording {
  readonly affirmed: ReadonlySet<string>;
  readonly rejected: ReadonlySet<string>;
  readonly compounds: ReadonlySet<string>;
  readonly ended: readonly ReadonlySet<string>[];
}

const reasonPattern = lazy(
  () =>
    new RegExp(String.raw`(?:[,;—–-]\s*|\s)(?:${createAlternatives("reasons")})\s[\s\S]*$`, "iu"),
);
const rejectingPattern = lazy(
  () =>
    new RegExp(
      String.raw`(?<![\p{L}\p{N}])(?:${createAlternatives("negations")})\s+(?:(?:${wordsAfterNegation().join("|")})\s+)*([^\s,.;:!?()]+)`,
      "giu",
    ),
);

/** Analyses statements. Reusable, since it caches the function words. */
export class Wordings {
  readonly #shaping = loadFunctionWords();
  readonly #segmenter = new Intl.Segmenter(undefined, { granularity: "word" });

  /** `rejects`: rejected terms known to the caller, in addition to those detected here. */
  of(text: string, rejects: readonly string[] = []): Wording {
    const message = text.replaceAll("’", "'").replace(reasonPattern(), "");
    const words = this.words(message);
    const found = [
      ...Array.from(message.matchAll(rejectingPattern()), ([, word = ""]) => word),
      ...matchGroups("negated", message),
    ];
    const own = new Set(words);
    const rejected = new Set(
      [...found, ...rejects].flatMap((part) => this.words(part)).filter((word) => own.has(word)),
    );
    return {
      affirmed: new Set(words.filter((word) => !rejected.has(word))),
      rejected,
      compounds: this.#compounds(message),
      ended: matchGroups("ending", text)
        .map((subject) => new Set(this.words(subject)))
        .filter((subject) => subject.size > 0),
    };
  }

  words(text: string): string[] {
    return this.all(text)
      .filter((word) => !this.#shaping.has(word) && !/^[\p{Script=Hiragana}]+$/u.test(word))
      .map(stemWord);
  }

  /** Returns all words in lower case. */
  all(text: string): string[] {
    const parts = this.#segmenter.segment(text.normalize("NFKC").toLowerCase());
    return Array.from(parts)
      .filter(({ isWordLike }) => isWordLike === true)
      .flatMap(({ segment }) => segment.split(/['’]/u))
      .filter((word) => word !== "");
  }

  #compounds(text: string): Set<string> {
    const words = this.all(text).map((word) => word.replace(/s$/u, ""));
    return new Set(words.slice(1).map((word, index) => stemWord(`${words[index]}${word}`)));
  }
}

const NUMBER_START = /^\d/;

export function isNumber(word: string): boolean {
  return NUMBER_START.test(word);
}

/** Truncates a word to match its inflected forms. */
function stemWord(word: string): string {
  if (NUMBER_START.test(word) || word.length < 4) return word;
  const stem = word.replace(/(?:ings?|ed|en|er|ly|s)$/u, "").replace(/e$/u, "");
  return (stem.length < 3 ? word : stem).slice(0, 9).replace(/y$/u, "i");
}
