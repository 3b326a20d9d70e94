import { and, desc, eq, exists, isNull } from "drizzle-orm";
import type { Tx } from "../../database/index.ts";
import { loadEpisodes } from "../episodes/episode.queries.ts";
import type { EpisodeRecord } from "../episodes/episode.schema.ts";
import { episodes } from "../episodes/episode.table.ts";
import { episodeLabels } from "../labels/label.table.ts";
import { AVOIDED, MISTAKE, type MistakeRecord, mistakePair, REPEATED } from "./mistake.schema.ts";

/** Of more, the oldest are as good as forgotten: the person would have said it again. */
const MOST_READ = 2_000;

/** Mistakes that are kept and not deleted, the newest first; `only` is the number of one. */
export async function loadMistakes(tx: Tx, only?: number): Promise<MistakeRecord[]> {
  const labelled = tx
    .select({ id: episodeLabels.episodeId })
    .from(episodeLabels)
    .where(and(eq(episodeLabels.episodeId, episodes.id), eq(episodeLabels.key, MISTAKE)));
  const rows = await tx
    .select({ id: episodes.id })
    .from(episodes)
    .where(
      and(
        isNull(episodes.deletedAt),
        exists(labelled),
        only === undefined ? undefined : eq(episodes.id, only),
      ),
    )
    .orderBy(desc(episodes.id))
    .limit(MOST_READ);
  const found = await loadEpisodes(
    tx,
    rows.map(({ id }) => id),
  );
  return found.flatMap(toMistake);
}

/** None where somebody labelled an episode that has no pair. */
function toMistake(episode: EpisodeRecord): MistakeRecord[] {
  const pair = mistakePair.safeParse(episode.metadata?.mistake);
  if (!pair.success) return [];
  const sessions = (wanted: string) =>
    episode.labels.filter(({ key }) => key === wanted).map(({ value }) => value);
  const { id, content, asserted_by, source_ref, session, occurred_at, created_at } = episode;
  return [
    {
      ...{ id, content, ...pair.data, asserted_by, source_ref, session },
      at: occurred_at ?? created_at,
      avoided: sessions(AVOIDED),
      repeated: sessions(REPEATED),
    },
  ];
}
