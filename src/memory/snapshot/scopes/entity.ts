import { loadConcepts } from "../../concepts/concept.queries.ts";
import {
  episodesOfEntity,
  listEntityRelations,
  loadEntity,
  requireEntity,
} from "../../entities/entity.queries.ts";
import { clustersOfEntity } from "../../entities/load-entity-detail.ts";
import { loadEpisodes } from "../../episodes/episode.queries.ts";
import { factsOfCluster, loadFacts } from "../../facts/fact.queries.ts";
import type { ScopeReader } from "../scope.ts";

/** An entity with its episodes, fact clusters (active facts included) and relations. */
export const entity: ScopeReader = async ({ tx }, id = "") => {
  const row = await requireEntity(tx, id);
  const numbers = await clustersOfEntity(tx, row.id);
  const records = await loadConcepts(tx, numbers);
  const clusters = [];
  for (const [index, record] of records.entries()) {
    const facts = await factsOfCluster(tx, numbers[index] ?? 0, { status: "active" });
    clusters.push({ ...record, facts: await loadFacts(tx, facts) });
  }
  return {
    entity: await loadEntity(tx, row),
    episodes: await loadEpisodes(tx, await episodesOfEntity(tx, row.id)),
    fact_clusters: clusters,
    relations: await listEntityRelations(tx, row.id),
  };
};
