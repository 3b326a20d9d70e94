import { withoutInvisible } from "./fold-text.ts";

/** A word of letters and digits in which a border stands: `parseChangeset`, `HTTPServer`, `TS2345`. */
const IDENTIFIER =
  /[\p{L}\p{N}]*(?:\p{Ll}\p{Lu}|\p{Lu}{2}\p{Ll}|\p{L}\p{N}{2}|\p{N}{2}\p{L})[\p{L}\p{N}]*/gu;
const BORDER =
  /(?<=\p{Ll}|\p{N})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})|(?<=\p{L})(?=\p{N}{2})|(?<=\p{N}{2})(?=\p{L})/gu;
/** A commit hash or a part of one, from the length that Git shows. */
const HASH = /(?<![\p{L}\p{N}])(?=[a-f]*\d)[\da-f]{7,64}(?![\p{L}\p{N}])/giu;
const SHORT_HASH = 7;
const UMLAUTS: Readonly<Record<string, string>> = { ä: "ae", ö: "oe", ü: "ue" };
const WITH_UMLAUT = /[\p{L}\p{N}]*[äöü][\p{L}\p{N}]*/giu;

/**
 * Other forms by which the words of a text are asked for: the parts of identifiers (`getUserById`
 * gives `get User By Id`), the short form of hashes, and umlauts as those write them who have none
 * (`Müller` gives `mueller`).
 */
export function wordForms(text: string): string {
  const plain = withoutInvisible(text);
  return [...identifierParts(plain), ...shortHashes(plain), ...umlautsSpelledOut(plain)].join(" ");
}

function identifierParts(text: string): string[] {
  return Array.from(text.matchAll(IDENTIFIER), ([word]) => word)
    .filter((word) => !isHash(word))
    .map((word) => word.replace(BORDER, " "));
}

function shortHashes(text: string): string[] {
  return Array.from(text.matchAll(HASH), ([hash]) => hash.slice(0, SHORT_HASH));
}

function umlautsSpelledOut(text: string): string[] {
  return Array.from(text.matchAll(WITH_UMLAUT), ([word]) =>
    word.toLowerCase().replace(/[äöü]/gu, (umlaut) => UMLAUTS[umlaut] ?? umlaut),
  );
}

function isHash(word: string): boolean {
  return word.match(HASH)?.[0] === word;
}
