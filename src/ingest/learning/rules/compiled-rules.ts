import type { LanguageRules } from "./language-rules.ts";
import { LANGUAGES } from "./languages.ts";

type Part = Exclude<keyof LanguageRules, "language" | "isSpaced" | "examples">;

/**
 * A pattern that is compiled as far as it is needed: most texts hold none of it, which it tells without
 * the ends of words, whose classes take most of the time.
 */
class Pattern {
  readonly isSpaced: boolean;
  readonly #source: string;
  readonly #anywhere: RegExp;
  #whole: RegExp | undefined;

  constructor(source: string, isSpaced: boolean) {
    this.isSpaced = isSpaced;
    this.#source = source;
    this.#anywhere = new RegExp(source, "iu");
  }

  exec(text: string): RegExpExecArray | null {
    if (!this.isSpaced) return this.#anywhere.exec(text);
    if (!this.#anywhere.test(text)) return null;
    this.#whole ??= wholeWords(this.#source);
    return this.#whole.exec(text);
  }
}

const DENSE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;

/** The patterns of every language, part by part. */
export class CompiledRules {
  readonly #patterns = new Map<Part, readonly Pattern[]>();
  /** What was asked of the text that was asked of last: each is asked for several times. */
  #last: { readonly text: string; readonly found: Map<Part, boolean> } | undefined;

  matches(part: Part, said: string): boolean {
    const text = plainApostrophes(said);
    if (this.#last?.text !== text) this.#last = { text, found: new Map() };
    const { found } = this.#last;
    const known = found.get(part);
    if (known !== undefined) return known;
    const matches = this.#for(part, text).some((pattern) => pattern.exec(text) !== null);
    found.set(part, matches);
    return matches;
  }

  /** What the first group of each match holds. */
  groups(part: Part, said: string): readonly string[] {
    const text = plainApostrophes(said);
    return this.#for(part, text).flatMap((pattern) => pattern.exec(text)?.[1]?.trim() ?? []);
  }

  /** Without those of scripts that it is not written in. */
  #for(part: Part, text: string): readonly Pattern[] {
    const isDense = DENSE.test(text);
    return this.#of(part).filter(({ isSpaced }) => isSpaced || isDense);
  }

  #of(part: Part): readonly Pattern[] {
    const known = this.#patterns.get(part);
    if (known !== undefined) return known;
    const made = LANGUAGES.flatMap((language) =>
      language[part].map((source) => new Pattern(source, language.isSpaced)),
    );
    this.#patterns.set(part, made);
    return made;
  }
}

/** Keyboards and editors write them in two more ways. */
const plainApostrophes = (text: string): string => text.replaceAll(/[’‘]/g, "'");

/** Whole words, where a language has such; ends that are no letters may stand beside letters. */
function wholeWords(source: string): RegExp {
  const end = String.raw`(?:(?![\p{L}\p{N}_])|(?<![\p{L}\p{N}_]))`;
  const beginning = String.raw`(?:(?<![\p{L}\p{N}_])|(?![\p{L}\p{N}_]))`;
  return new RegExp(`${beginning}(?:${source})${end}`, "iu");
}
