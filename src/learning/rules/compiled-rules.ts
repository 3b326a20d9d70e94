import type { LanguageRules } from "./language-rules.ts";
import { LANGUAGES } from "./languages.ts";

type Part = Exclude<keyof LanguageRules, "language" | "isSpaced" | "examples">;

/** The patterns of every language, part by part. */
export class CompiledRules {
  readonly #patterns = new Map<Part, readonly RegExp[]>();

  matches(part: Part, text: string): boolean {
    return this.#of(part).some((pattern) => pattern.test(text));
  }

  /** What the first group of each match holds. */
  groups(part: Part, text: string): readonly string[] {
    return this.#of(part).flatMap((pattern) => pattern.exec(text)?.[1]?.trim() ?? []);
  }

  #of(part: Part): readonly RegExp[] {
    const known = this.#patterns.get(part);
    if (known !== undefined) return known;
    const made = LANGUAGES.flatMap((language) =>
      language[part].map((source) => compile(source, language.isSpaced)),
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
