import { shapingWords } from "./shaping-words.ts";

/** What a statement is about, in words that can be compared. */
export interface Wording {
  /** What it says holds, and of what. */
  readonly affirmed: ReadonlySet<string>;
  /** What it says does not hold. */
  readonly rejected: ReadonlySet<string>;
  /** Words that stand side by side, as one: "times out" is a "timeout". */
  readonly compounds: ReadonlySet<string>;
}

/** A reason that follows tells why, not what. */
const REASON =
  /(?:[,;—–-]\s*|\s)(?:because|since|so that|weil|da(?=\s+\p{L}+\s+\p{L}+)|denn|parce que|car|puisque|porque|ya que|perché|poiché|omdat|want|ponieważ|gdyż)\s[\s\S]*$/iu;

/** What follows these does not hold, in ten languages; at most three words of it. */
const REJECTING =
  /(?<![\p{L}\p{N}])(?:instead of|rather than|in place of|no longer|not|do(?:es)?n['’]t|never|without|drop(?:ped)?|statt|anstatt|anstelle(?: von)?|nicht(?: mehr)?|keine?[nmrs]?|nie(?:mals)?|au lieu (?:de|du|d['’])|plutôt que|pas|jamais|en vez de|en lugar de|no|nunca|ya no|invece (?:di|che)|non|mai|em vez de|ao invés de|não|in plaats van|niet(?: meer)?|geen|nooit|zamiast|nie|nigdy)\s+(?:(?:use|with|the|an?|in|by|as|to|on|at|for|from|into|via|through|mit|als|auf|für|avec|comme|à|con|como|com|met|op|de[rnms]?|die|das|le|la|les|un|une|el|los|il|lo|o|os|de|het)\s+)*([^\s,.;:!?()]+)/giu;
const REJECTING_DENSE =
  /([\p{L}\p{N}._-]+?)\s*(?:じゃなく|ではなく|の代わりに|をやめ)|(?:而不是|不要用|不用|不再用|不再使用|别用|取代|代替)\s*([\p{L}\p{N}._-]+)/gu;

/** Compares statements; made once for many, since it knows the words that only shape. */
export class Wordings {
  readonly #shaping = shapingWords();
  readonly #segmenter = new Intl.Segmenter(undefined, { granularity: "word" });

  /** `rejects`: what somebody has found that it rejects, beside what is found here. */
  of(text: string, rejects: readonly string[] = []): Wording {
    const said = text.replace(REASON, "");
    const words = this.words(said);
    const found = [
      ...Array.from(said.matchAll(REJECTING), ([, word = ""]) => word),
      ...Array.from(said.matchAll(REJECTING_DENSE), ([, before, after]) => before ?? after ?? ""),
    ];
    const own = new Set(words);
    const rejected = new Set(
      [...found, ...rejects].flatMap((part) => this.words(part)).filter((word) => own.has(word)),
    );
    return {
      affirmed: new Set(words.filter((word) => !rejected.has(word))),
      rejected,
      compounds: this.#compounds(said),
    };
  }

  /** The words that tell what a text is about, their endings aside. */
  words(text: string): string[] {
    return this.all(text)
      .filter((word) => !this.#shaping.has(word) && !/^[\p{Script=Hiragana}]+$/u.test(word))
      .map(stemOf);
  }

  /** All words, in lower case. */
  all(text: string): string[] {
    const parts = this.#segmenter.segment(text.normalize("NFKC").toLowerCase());
    return Array.from(parts)
      .filter(({ isWordLike }) => isWordLike === true)
      .flatMap(({ segment }) => segment.split(/['’]/u))
      .filter((word) => word !== "");
  }

  #compounds(text: string): Set<string> {
    const words = this.all(text).map((word) => word.replace(/s$/u, ""));
    return new Set(words.slice(1).map((word, place) => stemOf(`${words[place]}${word}`)));
  }
}

const NUMBER = /^\d/;

export function isNumber(word: string): boolean {
  return NUMBER.test(word);
}

/** Near enough for words of one language to meet in their forms. */
function stemOf(word: string): string {
  if (NUMBER.test(word) || word.length < 4) return word;
  const stem = word.replace(/(?:ings?|ed|en|er|ly|s)$/u, "").replace(/e$/u, "");
  return (stem.length < 3 ? word : stem).slice(0, 9).replace(/y$/u, "i");
}
