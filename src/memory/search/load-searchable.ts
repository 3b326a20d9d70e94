import { and, isNull, sql } from "drizzle-orm";
import { listOfValues, numbersNamed, preparedQuery, type Tx } from "../../database/index.ts";
import { groupBy } from "../../shared/collections.ts";
import { concepts } from "../concepts/concept.table.ts";
import type { IndexedKind } from "../context/indexed-kind.ts";
import { entitiesOfEpisodes } from "../entities/mention.queries.ts";
import { episodes } from "../episodes/episode.table.ts";
import { passages } from "../sources/source.table.ts";
import {
  conceptEmbeddingText,
  type SearchableText,
  searchableConcept,
  searchableEpisode,
  searchablePassage,
} from "./searchable-text.ts";

/** Guards against a damaged cell, so that the other items can still be found; the doctor reports it. */
const readableTags =
  sql`case when json_valid(${concepts.tags}) then ${concepts.tags} else '[]' end`.mapWith(
    concepts.tags,
  );

export interface IndexedItem {
  readonly number: number;
  readonly text: SearchableText;
}

export interface SearchableItem extends IndexedItem {
  /** The text that the embedder reads. */
  readonly embeddingText: string;
}

/**
 * The searchable text of these items, without deleted ones. This is the one place that decides what recall
 * can find.
 */
export async function loadSearchable(
  tx: Tx,
  kind: IndexedKind,
  numbers: readonly number[],
): Promise<SearchableItem[]> {
  return numbers.length === 0 ? [] : LOADERS[kind](tx, numbers);
}

type LoadTexts = (tx: Tx, numbers: readonly number[]) => Promise<SearchableItem[]>;

const LOADERS: Readonly<Record<IndexedKind, LoadTexts>> = {
  episode: loadEpisodeTexts,
  concept: loadConceptTexts,
  passage: loadPassageTexts,
};

async function loadEpisodeTexts(tx: Tx, numbers: readonly number[]): Promise<SearchableItem[]> {
  const rows = await episodeTexts(tx).execute({ numbers: listOfValues(numbers) });
  const mentions = groupBy(await entitiesOfEpisodes(tx, numbers), (row) => row.episodeId);
  return rows.map((row) => ({
    number: row.number,
    text: searchableEpisode({
      ...row,
      entityNames: (mentions.get(row.number) ?? []).map(({ entity }) => entity.name),
    }),
    embeddingText: row.content,
  }));
}

async function loadConceptTexts(tx: Tx, numbers: readonly number[]): Promise<SearchableItem[]> {
  const rows = await conceptTexts(tx).execute({ numbers: listOfValues(numbers) });
  return rows.map((row) => ({
    number: row.number,
    text: searchableConcept(row),
    embeddingText: conceptEmbeddingText(row),
  }));
}

async function loadPassageTexts(tx: Tx, numbers: readonly number[]): Promise<SearchableItem[]> {
  const rows = await passageTexts(tx).execute({ numbers: listOfValues(numbers) });
  return rows.map((row) => ({
    number: row.number,
    text: searchablePassage(row),
    embeddingText: row.content,
  }));
}

const passageTexts = preparedQuery((tx) =>
  tx
    .select({
      number: passages.id,
      content: passages.content,
      assertedBy: passages.assertedBy,
      occurredAt: passages.occurredAt,
      files: passages.files,
    })
    .from(passages)
    .where(and(sql`${passages.id} in (${numbersNamed("numbers")})`, isNull(passages.deletedAt)))
    .prepare(),
);

const episodeTexts = preparedQuery((tx) =>
  tx
    .select({
      number: episodes.id,
      content: episodes.content,
      assertedBy: episodes.assertedBy,
      occurredAt: episodes.occurredAt,
    })
    .from(episodes)
    .where(and(sql`${episodes.id} in (${numbersNamed("numbers")})`, isNull(episodes.deletedAt)))
    .prepare(),
);

const conceptTexts = preparedQuery((tx) =>
  tx
    .select({
      number: concepts.id,
      title: concepts.title,
      summary: concepts.summary,
      tags: readableTags,
    })
    .from(concepts)
    .where(and(sql`${concepts.id} in (${numbersNamed("numbers")})`, isNull(concepts.deletedAt)))
    .prepare(),
);
