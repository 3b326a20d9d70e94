import type { LanguageRules } from "./language-rules.ts";
import { LANGUAGES } from "./languages.ts";

type Part = Exclude<keyof LanguageRules, "language" | "isSpaced" | "examples">;

interface Pattern {
  readonly pattern: RegExp;
  readonly isSpaced: boolean;
}

const DENSE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;

/** The patterns of every language, part by part. */
export class CompiledRules {
  readonly #patterns = new Map<Part, readonly Pattern[]>();
  /** What was asked of the text that was asked of last: each is asked for several times. */
  #last: { readonly text: string; readonly found: Map<Part, boolean> } | undefined;

  matches(part: Part, text: string): boolean {
    if (this.#last?.text !== text) this.#last = { text, found: new Map() };
    const { found } = this.#last;
    const known = found.get(part);
    if (known !== undefined) return known;
    const matches = this.#for(part, text).some(({ pattern }) => pattern.test(text));
    found.set(part, matches);
    return matches;
  }

  /** What the first group of each match holds. */
  groups(part: Part, text: string): readonly string[] {
    return this.#for(part, text).flatMap(({ pattern }) => pattern.exec(text)?.[1]?.trim() ?? []);
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
      language[part].map((source) => ({
        pattern: compile(source, language.isSpaced),
        isSpaced: language.isSpaced,
      })),
    );
    this.#patterns.set(part, made);
    return made;
  }
}

/** Whole words, where a language has such; ends that are no letters need none beside them. */
function compile(source: string, isSpaced: boolean): RegExp {
  if (!isSpaced) return new RegExp(source, "iu");
  const end = String.raw`(?:(?![\p{L}\p{N}_])|(?<![\p{L}\p{N}_]))`;
  return new RegExp(String.raw`(?<![\p{L}\p{N}_])(?:${source})${end}`, "iu");
}
