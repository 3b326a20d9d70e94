import { and, desc, eq, exists, isNull } from "drizzle-orm";
import { z } from "zod";
import type { Tx } from "../../database/index.ts";
import { loadEpisodes } from "../episodes/episode.queries.ts";
import type { EpisodeRecord } from "../episodes/episode.schema.ts";
import { episodes } from "../episodes/episode.table.ts";
import { episodeId } from "../input/item-ids.ts";
import { episodeLabels } from "../labels/label.table.ts";
import {
  AVOIDED,
  MISTAKE,
  type MistakePair,
  type MistakeRecord,
  mistakePair,
  REPEATED,
} from "./mistake.schema.ts";

const MAX_READ = 2_000;

export interface WantedMistakes {
  readonly only?: number | undefined;
  readonly matches?: ((pair: MistakePair) => boolean) | undefined;
  readonly limit: number;
}

/**
 * Loads the newest matching mistakes and their total. Runs before every tool call of an agent, so
 * only the returned ones are read in full.
 */
export async function loadMistakes(
  tx: Tx,
  { only, matches, limit }: WantedMistakes,
): Promise<{ mistakes: MistakeRecord[]; total: number }> {
  const pairs = (await pairsIn(tx, only)).filter(
    ({ pair }) => matches === undefined || matches(pair),
  );
  const shown = pairs.slice(0, limit);
  const found = await loadEpisodes(
    tx,
    shown.map(({ id }) => id),
  );
  const pairOf = new Map(shown.map(({ id, pair }) => [episodeId(id), pair]));
  const mistakes = found.flatMap((episode) => {
    const pair = pairOf.get(episode.id);
    return pair === undefined ? [] : [toMistake(episode, pair)];
  });
  return { mistakes, total: pairs.length };
}

async function pairsIn(
  tx: Tx,
  only: number | undefined,
): Promise<{ id: number; pair: MistakePair }[]> {
  const labelled = tx
    .select({ id: episodeLabels.episodeId })
    .from(episodeLabels)
    .where(and(eq(episodeLabels.episodeId, episodes.id), eq(episodeLabels.key, MISTAKE)));
  const rows = await tx
    .select({ id: episodes.id, metadata: episodes.metadata })
    .from(episodes)
    .where(
      and(
        isNull(episodes.deletedAt),
        exists(labelled),
        only === undefined ? undefined : eq(episodes.id, only),
      ),
    )
    .orderBy(desc(episodes.id))
    .limit(MAX_READ);
  return rows.flatMap(({ id, metadata }) => {
    const parsed = noted.safeParse(metadata);
    return parsed.success ? [{ id, pair: parsed.data.mistake }] : [];
  });
}

const noted = z.looseObject({ mistake: mistakePair });

function toMistake(episode: EpisodeRecord, pair: MistakePair): MistakeRecord {
  const sessions = (requested: string) =>
    episode.labels.filter(({ key }) => key === requested).map(({ value }) => value);
  const { id, content, asserted_by, source_ref, session, occurred_at, created_at } = episode;
  return {
    ...{ id, content, ...pair, asserted_by, source_ref, session },
    at: occurred_at ?? created_at,
    avoided: sessions(AVOIDED),
    repeated: sessions(REPEATED),
  };
}
