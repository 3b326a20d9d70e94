import { and, asc, eq, isNull } from "drizzle-orm";
import { shorten } from "../../shared/text.ts";
import { FACT_CLUSTER } from "../concepts/concept.schema.ts";
import { concepts } from "../concepts/concept.table.ts";
import type { WriteContext } from "../context/write-context.ts";
import { episodes } from "../episodes/episode.table.ts";
import { facts } from "./fact.table.ts";

const MAX_TITLE_CHARACTERS = 120;
const DELETED_FACT_TITLE = "A fact that was deleted";

export function createClusterTitle(text: string): string {
  return shorten(text.trim(), MAX_TITLE_CHARACTERS);
}

/**
 * Updates a derived title to match the cluster's facts, so that corrected or deleted text
 * disappears. A title set by the user remains. `formerText` is the fact's previous text.
 */
export async function updateTitleFromFacts(
  context: WriteContext,
  { cluster, formerText }: { cluster: number; formerText: string },
): Promise<void> {
  const { tx, now } = context;
  const [concept] = await tx.select().from(concepts).where(eq(concepts.id, cluster));
  if (concept === undefined || concept.type !== FACT_CLUSTER) return;
  if (concept.title !== createClusterTitle(formerText) && concept.title !== DELETED_FACT_TITLE)
    return;
  const title = createClusterTitle((await loadClusterText(context, cluster)) ?? DELETED_FACT_TITLE);
  if (title === concept.title) return;
  await tx.update(concepts).set({ title, updatedAt: now }).where(eq(concepts.id, cluster));
  context.touch("concept", cluster);
}

async function loadClusterText({ tx }: WriteContext, cluster: number): Promise<string | undefined> {
  const [fact] = await tx
    .select({ content: episodes.content })
    .from(facts)
    .innerJoin(episodes, eq(episodes.id, facts.episodeId))
    .where(and(eq(facts.clusterId, cluster), isNull(episodes.deletedAt)))
    .orderBy(asc(facts.status), asc(facts.id))
    .limit(1);
  return fact?.content;
}

export async function updateTitleFromEpisode(
  context: WriteContext,
  { episode, formerText }: { episode: number; formerText: string },
): Promise<void> {
  const [fact] = await context.tx
    .select({ cluster: facts.clusterId })
    .from(facts)
    .where(eq(facts.episodeId, episode));
  if (fact !== undefined) await updateTitleFromFacts(context, { ...fact, formerText });
}
