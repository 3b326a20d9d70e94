import { dutch } from "./dutch.ts";
import { english } from "./english.ts";
import { french } from "./french.ts";
import { german } from "./german.ts";
import { italian } from "./italian.ts";
import type { Language, LanguagePart } from "./language.ts";
import { chinese, japanese, polish } from "./language.ts";
import { portuguese } from "./portuguese.ts";
import { spanish } from "./spanish.ts";

export type { Language, LanguagePart } from "./language.ts";

export const ALL_LANGUAGES: readonly Language[] = [
  english,
  german,
  french,
  spanish,
  italian,
  portuguese,
  dutch,
  polish,
  japanese,
  chinese,
];

/** Characters searched; bounds the time for long texts, which are not statements. */
const MAX_CHARACTERS = 2_000;
const UNSPACED_SCRIPT = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;

interface Pattern {
  readonly hasSpaces: boolean;
  readonly anywhere: RegExp;
  readonly source: string;
  whole: RegExp | undefined;
}

const patterns = new Map<LanguagePart, readonly Pattern[]>();

export function matchesPart(part: LanguagePart, text: string): boolean {
  return findMatches(part, text).next().done !== true;
}

export function matchGroups(part: LanguagePart, text: string): string[] {
  return [...findMatches(part, text)].flatMap(([, ...groups]) => {
    const found = groups.find((group) => group !== undefined)?.trim();
    return found === undefined || found === "" ? [] : [found];
  });
}

function* findMatches(part: LanguagePart, text: string): Generator<RegExpExecArray> {
  const message = text.slice(0, MAX_CHARACTERS).replaceAll(/[’‘]/g, "'");
  const isUnspaced = UNSPACED_SCRIPT.test(message);
  for (const pattern of compilePatterns(part)) {
    if (!pattern.hasSpaces && !isUnspaced) continue;
    const match = execPattern(pattern, message);
    if (match !== null) yield match;
  }
}

function execPattern(pattern: Pattern, text: string): RegExpExecArray | null {
  if (!pattern.hasSpaces) return pattern.anywhere.exec(text);
  if (!pattern.anywhere.test(text)) return null;
  pattern.whole ??= new RegExp(matchWholeWords(pattern.source), "iu");
  return pattern.whole.exec(text);
}

function compilePatterns(part: LanguagePart): readonly Pattern[] {
  const known = patterns.get(part);
  if (known !== undefined) return known;
  const created = ALL_LANGUAGES.flatMap(({ [part]: sources, hasSpaces }) =>
    sources.map((source) => ({
      ...{ hasSpaces, source, anywhere: new RegExp(source, "iu"), whole: undefined },
    })),
  );
  patterns.set(part, created);
  return created;
}

/** Adds word boundaries where the pattern begins or ends with a letter or digit. */
function matchWholeWords(source: string): string {
  const end = String.raw`(?:(?![\p{L}\p{N}_])|(?<![\p{L}\p{N}_]))`;
  const begin = String.raw`(?:(?<![\p{L}\p{N}_])|(?![\p{L}\p{N}_]))`;
  return `${begin}(?:${source})${end}`;
}

let words: ReadonlySet<string> | undefined;

export function loadFunctionWords(): ReadonlySet<string> {
  words ??= new Set(ALL_LANGUAGES.flatMap((language) => language.functionWords.split(/\s+/)));
  return words;
}

/** Joins the part's entries of all languages with spaces as a regular expression alternation. */
export function createAlternatives(part: "reasons" | "negations"): string {
  return ALL_LANGUAGES.flatMap((language) => language[part]).join("|");
}

/** Returns the words between a negation and the rejected word, in languages with spaces. */
export function wordsAfterNegation(): string[] {
  return ALL_LANGUAGES.flatMap(({ afterNegation }) => afterNegation.split(/\s+/)).filter(Boolean);
}

let reservations: RegExp | undefined;

/** Returns true if the text qualifies an approval, as with "but" or "only". */
export function hasReservation(text: string): boolean {
  const of = (isSpaced: boolean) =>
    ALL_LANGUAGES.filter(({ hasSpaces }) => hasSpaces === isSpaced)
      .flatMap((language) => language.reservations.split(" "))
      .join("|");
  reservations ??= new RegExp(
    String.raw`(?<![\p{L}\p{N}])(?:${of(true)})(?![\p{L}\p{N}])|${of(false)}`,
    "iu",
  );
  return reservations.test(text);
}
