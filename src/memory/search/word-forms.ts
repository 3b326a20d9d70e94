import { withoutInvisible } from "./fold-text.ts";

/** Runs of letters and digits; each is then looked at by itself, so that no text is read twice over. */
const WORD = /[\p{L}\p{N}]+/gu;
/** Nobody asks for a longer word by one of its parts. */
const MAX_WORD_CHARS = 256;
/** Where a border stands in an identifier: `parseChangeset`, `HTTPServer`, `TS2345`. */
const HAS_BORDER = /\p{Ll}\p{Lu}|\p{Lu}{2}\p{Ll}|\p{L}\p{N}{2}|\p{N}{2}\p{L}/u;
const BORDER =
  /(?<=\p{Ll}|\p{N})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})|(?<=\p{L})(?=\p{N}{2})|(?<=\p{N}{2})(?=\p{L})/gu;
/** A commit hash or a part of one, from the length that Git shows. */
const HASH = /^(?=[a-f]*\d)[\da-f]{7,64}$/i;
const SHORT_HASH = 7;
const UMLAUTS: Readonly<Record<string, string>> = { ä: "ae", ö: "oe", ü: "ue" };

/**
 * Other forms by which the words of a text are asked for: the parts of identifiers (`getUserById`
 * gives `get User By Id`), the short form of hashes, and umlauts as those write them who have none
 * (`Müller` gives `mueller`).
 */
export function wordForms(text: string): string {
  const words = Array.from(withoutInvisible(text).matchAll(WORD), ([word]) => word).filter(
    (word) => word.length <= MAX_WORD_CHARS,
  );
  return [...identifierParts(words), ...shortHashes(words), ...umlautsSpelledOut(words)].join(" ");
}

function identifierParts(words: readonly string[]): string[] {
  return words
    .filter((word) => HAS_BORDER.test(word) && !HASH.test(word))
    .map((word) => word.replace(BORDER, " "));
}

function shortHashes(words: readonly string[]): string[] {
  return words.filter((word) => HASH.test(word)).map((hash) => hash.slice(0, SHORT_HASH));
}

function umlautsSpelledOut(words: readonly string[]): string[] {
  return words
    .filter((word) => /[äöü]/i.test(word))
    .map((word) => word.toLowerCase().replace(/[äöü]/gu, (umlaut) => UMLAUTS[umlaut] ?? umlaut));
}
