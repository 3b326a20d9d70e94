import type { Tx } from "../../../database/index.ts";
import { groupBy } from "../../../kernel/group-by.ts";
import { loadConcepts } from "../../concepts/concept.queries.ts";
import { omittedOf, shownOf, wholeList } from "../../context/whole-list.ts";
import {
  episodesOfEntity,
  listEntityRelations,
  loadEntity,
  requireEntity,
} from "../../entities/entity.queries.ts";
import { clustersOfEntity } from "../../entities/load-entity-detail.ts";
import { loadEpisodes } from "../../episodes/episode.queries.ts";
import { factsOfClusters, loadFacts } from "../../facts/fact.queries.ts";
import { defineScope } from "../define-scope.ts";

/** An entity with its episodes, fact clusters (active facts included) and relations. */
export const entity = defineScope({
  name: "entity",
  summary: "An entity (type:name) with its episodes, fact clusters and relations",
  argument: { name: "id", form: "<type>:<name>", suggests: "entity" },
  async read(context, id) {
    const { tx } = context;
    const row = await requireEntity(tx, id);
    const clusters = await clustersOfEntity(tx, row.id);
    const episodes = await episodesOfEntity(tx, row.id);
    return {
      entity: await loadEntity(tx, row),
      episodes: await wholeList(context, shownOf(context, episodes), loadEpisodes),
      fact_clusters: await wholeList(context, shownOf(context, clusters), loadWithFacts),
      relations: await listEntityRelations(tx, row.id),
      ...omittedOf(context, episodes, clusters),
    };
  },
});

/** Clusters with their active facts. */
async function loadWithFacts(tx: Tx, clusters: readonly number[]) {
  const records = await loadConcepts(tx, clusters);
  const facts = await loadFacts(tx, await factsOfClusters(tx, clusters, { status: "active" }));
  const factsOf = groupBy(facts, (fact) => fact.cluster_id);
  return records.map((record) => ({ ...record, facts: factsOf.get(record.id) ?? [] }));
}
