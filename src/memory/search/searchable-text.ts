import type { ConceptWords, EpisodeWords, NewItem, PassageWords } from "../context/new-item.ts";
import { foldText, removeInvisible } from "./fold-text.ts";
import { givesStandingInstruction, STANDING_WORD } from "./standing-instructions.ts";

/** Sequences of letters and digits, examined separately so that each is read once. */
const WORD_PATTERN = /[\p{L}\p{N}]+/gu;
const MAX_WORD_CHARS = 256;
/** Word boundaries within an identifier: `parseChangeset`, `HTTPServer`, `TS2345`. */
const HAS_BORDER = /\p{Ll}\p{Lu}|\p{Lu}{2}\p{Ll}|\p{L}\p{N}{2}|\p{N}{2}\p{L}/u;
const WORD_BORDER =
  /(?<=\p{Ll}|\p{N})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})|(?<=\p{L})(?=\p{N}{2})|(?<=\p{N}{2})(?=\p{L})/gu;
/** A commit hash, complete or abbreviated to at least Git's length. */
const HASH_PATTERN = /^(?=[a-f]*\d)[\da-f]{7,64}$/i;
const SHORT_HASH_LENGTH = 7;
const UMLAUTS: Readonly<Record<string, string>> = { ä: "ae", ö: "oe", ü: "ue" };

/**
 * Returns additional search forms of a text's words: parts of identifiers (`getUserById` gives `get
 * User By Id`), abbreviated hashes, and umlauts transliterated (`Müller` gives `mueller`).
 */
export function listWordForms(text: string): string {
  const words = Array.from(removeInvisible(text).matchAll(WORD_PATTERN), ([word]) => word).filter(
    (word) => word.length <= MAX_WORD_CHARS,
  );
  return [...splitIdentifier(words), ...findShortHashes(words), ...spellOutUmlauts(words)].join(
    " ",
  );
}

function splitIdentifier(words: readonly string[]): string[] {
  return words
    .filter((word) => HAS_BORDER.test(word) && !HASH_PATTERN.test(word))
    .map((word) => word.replace(WORD_BORDER, " "));
}

function findShortHashes(words: readonly string[]): string[] {
  return words
    .filter((word) => HASH_PATTERN.test(word))
    .map((hash) => hash.slice(0, SHORT_HASH_LENGTH));
}

function spellOutUmlauts(words: readonly string[]): string[] {
  return words
    .filter((word) => /[äöü]/i.test(word))
    .map((word) => word.toLowerCase().replace(/[äöü]/gu, (umlaut) => UMLAUTS[umlaut] ?? umlaut));
}

const MONTH_NAMES = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
] as const;

/** Scripts without spaces between words: each character becomes a word. */
export const UNSPACED_SCRIPT =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const UNSPACED = new RegExp(UNSPACED_SCRIPT, "gu");

/** Prepares text for the tokenizer: normalized, with unspaced scripts split into characters. */
export function createIndexedText(text: string): string {
  return foldText(text).replace(UNSPACED, " $& ");
}

/** Writes a timestamp's day, month and year out: `8 May 2023`. */
export function createDateWords(timestamp: string): string {
  const date = new Date(timestamp);
  return `${date.getUTCDate()} ${MONTH_NAMES[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
}

export interface SearchableText {
  readonly content: string;
  readonly context: string;
}

export function searchableEpisode(episode: EpisodeWords): SearchableText {
  const parts = [
    episode.assertedBy,
    ...episode.entityNames,
    episode.occurredAt === null ? null : createDateWords(episode.occurredAt),
    listWordForms(episode.content),
    ...episode.entityNames.map(listWordForms),
    givesStandingInstruction(episode.content, episode.assertedBy) ? STANDING_WORD : null,
  ];
  return { content: createIndexedText(episode.content), context: joinParts(parts) };
}

export function searchableConcept(concept: ConceptWords): SearchableText {
  const text = `${concept.title}\n${concept.summary}`;
  return {
    content: createIndexedText(text),
    context: joinParts([...concept.tags, listWordForms(text)]),
  };
}

export function searchablePassage(passage: PassageWords): SearchableText {
  const parts = [
    passage.assertedBy,
    ...passage.files.map(splitPathWords),
    createDateWords(passage.occurredAt),
    listWordForms(passage.content),
  ];
  return { content: createIndexedText(passage.content), context: joinParts(parts) };
}

function splitPathWords(path: string): string {
  return path.replaceAll(/[/\\]+/g, " ");
}

export function searchableText(item: NewItem): SearchableText {
  switch (item.kind) {
    case "episode":
      return searchableEpisode(item.words);
    case "concept":
      return searchableConcept(item.words);
    case "passage":
      return searchablePassage(item.words);
  }
}

export function conceptEmbeddingText(concept: { title: string; summary: string }): string {
  return concept.summary === "" ? concept.title : `${concept.title}. ${concept.summary}`;
}

function joinParts(parts: readonly (string | null)[]): string {
  return createIndexedText(parts.filter((part) => part !== null && part !== "").join(" "));
}
