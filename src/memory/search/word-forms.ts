import { withoutInvisible } from "./fold-text.ts";

/** Runs of letters and digits. Each is examined on its own, so that no text is read twice. */
const WORD = /[\p{L}\p{N}]+/gu;
const MAX_WORD_CHARS = 256;
/** Borders within an identifier: `parseChangeset`, `HTTPServer`, `TS2345`. */
const HAS_BORDER = /\p{Ll}\p{Lu}|\p{Lu}{2}\p{Ll}|\p{L}\p{N}{2}|\p{N}{2}\p{L}/u;
const BORDER =
  /(?<=\p{Ll}|\p{N})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})|(?<=\p{L})(?=\p{N}{2})|(?<=\p{N}{2})(?=\p{L})/gu;
/** A commit hash, whole or shortened to at least the length that Git shows. */
const HASH = /^(?=[a-f]*\d)[\da-f]{7,64}$/i;
const SHORT_HASH = 7;
const UMLAUTS: Readonly<Record<string, string>> = { ä: "ae", ö: "oe", ü: "ue" };

/**
 * Further forms by which people search for the words of a text: the parts of identifiers (`getUserById` gives
 * `get User By Id`), short forms of hashes, and umlauts as written without them (`Müller` gives `mueller`).
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
