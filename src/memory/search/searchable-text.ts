import type { ConceptWords, EpisodeWords } from "../context/new-item.ts";

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

/** Words in camel case, or letters that meet digits: `parseChangeset`, `HTTPServer`. */
const IDENTIFIER = /\b[\p{L}\p{N}]*(?:\p{Ll}\p{Lu}|\p{Lu}{2}\p{Ll})[\p{L}\p{N}]*\b/gu;
const CAMEL_BORDER = /(?<=\p{Ll}|\p{N})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/gu;

/** Text as the tokenizer can read it: characters of unspaced scripts set apart. */
export function spaceOutScripts(text: string): string {
  return text.replace(UNSPACED, " $& ");
}

/** The words inside the identifiers of a text: `parseChangeset` gives `parse Changeset`. */
export function identifierParts(text: string): string {
  return Array.from(text.matchAll(IDENTIFIER), ([word]) => word.replace(CAMEL_BORDER, " ")).join(
    " ",
  );
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
    identifierParts(episode.content),
    ...episode.entityNames.map(identifierParts),
  ];
  return { content: spaceOutScripts(episode.content), context: joinParts(parts) };
}

export function searchableConcept(concept: ConceptWords): SearchableText {
  const text = `${concept.title}\n${concept.summary}`;
  return {
    content: spaceOutScripts(text),
    context: joinParts([...concept.tags, identifierParts(text)]),
  };
}

/** What the embedder reads of a concept; of an episode it reads the content. */
export function conceptEmbeddingText(concept: { title: string; summary: string }): string {
  return concept.summary === "" ? concept.title : `${concept.title}. ${concept.summary}`;
}

function joinParts(parts: readonly (string | null)[]): string {
  return spaceOutScripts(parts.filter((part) => part !== null && part !== "").join(" "));
}
