import { and, inArray, isNull } from "drizzle-orm";
import type { Tx } from "../../database/index.ts";
import { groupBy } from "../../kernel/group-by.ts";
import { inBatches } from "../../kernel/in-batches.ts";
import { concepts } from "../concepts/concept.table.ts";
import type { IndexedKind } from "../context/indexed-kind.ts";
import { entitiesOfEpisodes } from "../entities/entity.queries.ts";
import { episodes } from "../episodes/episode.table.ts";
import {
  conceptEmbeddingText,
  type SearchableText,
  searchableConcept,
  searchableEpisode,
} from "./searchable-text.ts";

export interface SearchableItem {
  readonly number: number;
  readonly text: SearchableText;
  /** What the embedder reads. */
  readonly embeddingText: string;
}

/** What recall can find of these items, deleted ones left out. The one place that decides it. */
export async function loadSearchable(
  tx: Tx,
  kind: IndexedKind,
  numbers: readonly number[],
): Promise<SearchableItem[]> {
  return kind === "episode" ? loadEpisodeTexts(tx, numbers) : loadConceptTexts(tx, numbers);
}

async function loadEpisodeTexts(tx: Tx, numbers: readonly number[]): Promise<SearchableItem[]> {
  const rows = await inBatches(numbers, (slice) =>
    tx
      .select({
        number: episodes.id,
        content: episodes.content,
        assertedBy: episodes.assertedBy,
        occurredAt: episodes.occurredAt,
      })
      .from(episodes)
      .where(and(inArray(episodes.id, slice), isNull(episodes.deletedAt))),
  );
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
  const rows = await inBatches(numbers, (slice) =>
    tx
      .select({
        number: concepts.id,
        title: concepts.title,
        summary: concepts.summary,
        tags: concepts.tags,
      })
      .from(concepts)
      .where(and(inArray(concepts.id, slice), isNull(concepts.deletedAt))),
  );
  return rows.map((row) => ({
    number: row.number,
    text: searchableConcept(row),
    embeddingText: conceptEmbeddingText(row),
  }));
}
