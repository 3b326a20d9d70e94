import { groupBy } from "../../../kernel/group-by.ts";
import { loadConcepts } from "../../concepts/concept.queries.ts";
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
  async read({ tx }, id) {
    const row = await requireEntity(tx, id);
    const numbers = await clustersOfEntity(tx, row.id);
    const records = await loadConcepts(tx, numbers);
    const facts = await loadFacts(tx, await factsOfClusters(tx, numbers, { status: "active" }));
    const factsOf = groupBy(facts, (fact) => fact.cluster_id);
    return {
      entity: await loadEntity(tx, row),
      episodes: await loadEpisodes(tx, await episodesOfEntity(tx, row.id)),
      fact_clusters: records.map((record) => ({ ...record, facts: factsOf.get(record.id) ?? [] })),
      relations: await listEntityRelations(tx, row.id),
    };
  },
});
