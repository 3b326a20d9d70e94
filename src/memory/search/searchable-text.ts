import type { ConceptWords, EpisodeWords, NewItem, PassageWords } from "../context/new-item.ts";
import { foldText } from "./fold-text.ts";
import { givesStandingInstruction, STANDING_WORD } from "./standing-instructions.ts";
import { wordForms } from "./word-forms.ts";

const MONTHS = [
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

/** Scripts that do not part words by spaces: each character becomes a word of its own. */
export const UNSPACED_SCRIPT =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const UNSPACED = new RegExp(UNSPACED_SCRIPT, "gu");

/** Text as the tokenizer can read it: folded, characters of unspaced scripts set apart. */
export function indexedText(text: string): string {
  return foldText(text).replace(UNSPACED, " $& ");
}

/** `8 May 2023`: day, month and year of a timestamp, as people write them. */
export function dateWords(timestamp: string): string {
  const date = new Date(timestamp);
  return `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
}

/** The two columns of the text index. */
export interface SearchableText {
  /** What the item says. */
  readonly content: string;
  /** Who, about what, when: names and dates by which it is asked for. */
  readonly context: string;
}

export function searchableEpisode(episode: EpisodeWords): SearchableText {
  const parts = [
    episode.assertedBy,
    ...episode.entityNames,
    episode.occurredAt === null ? null : dateWords(episode.occurredAt),
    wordForms(episode.content),
    ...episode.entityNames.map(wordForms),
    givesStandingInstruction(episode.content, episode.assertedBy) ? STANDING_WORD : null,
  ];
  return { content: indexedText(episode.content), context: joinParts(parts) };
}

export function searchableConcept(concept: ConceptWords): SearchableText {
  const text = `${concept.title}\n${concept.summary}`;
  return {
    content: indexedText(text),
    context: joinParts([...concept.tags, wordForms(text)]),
  };
}

/** A passage is asked for by who said it, when, and which files it is about. */
export function searchablePassage(passage: PassageWords): SearchableText {
  const parts = [
    passage.assertedBy,
    ...passage.files.map(pathWords),
    dateWords(passage.occurredAt),
    wordForms(passage.content),
  ];
  return { content: indexedText(passage.content), context: joinParts(parts) };
}

/** The names that a path is made of, which is how people ask for a file. */
function pathWords(path: string): string {
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

/** What the embedder reads of a concept; of an episode or a passage it reads the content. */
export function conceptEmbeddingText(concept: { title: string; summary: string }): string {
  return concept.summary === "" ? concept.title : `${concept.title}. ${concept.summary}`;
}

function joinParts(parts: readonly (string | null)[]): string {
  return indexedText(parts.filter((part) => part !== null && part !== "").join(" "));
}
