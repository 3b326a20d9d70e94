import type { Tx } from "../../../database/index.ts";
import { settleAll } from "../../../shared/async.ts";
import { groupBy } from "../../../shared/collections.ts";
import { loadConcepts } from "../../concepts/concept.queries.ts";
import { countOmitted, loadList, takeShown } from "../../context/sliced-list.ts";
import { listEntityRelations, requireEntity } from "../../entities/entity.queries.ts";
import { clustersOfEntity, episodesOfEntity, loadEntity } from "../../entities/mention.queries.ts";
import { loadEpisodes } from "../../episodes/episode.queries.ts";
import { factsOfClusters, loadFacts } from "../../facts/fact.queries.ts";
import { numbersThatPass } from "../../filters/matching-numbers.ts";
import { defineScope } from "../define-scope.ts";

/** Filters apply to the entity's episodes and clusters. */
export const entity = defineScope({
  name: "entity",
  summary: "An entity (type:name) with its episodes, fact clusters and relations",
  argument: { name: "id", form: "<type>:<name>", suggests: "entity" },
  narrows: "records",
  async read(context, id, _prepared, { passing }) {
    const { tx } = context;
    const row = await requireEntity(tx, id);
    const [allClusters, allEpisodes, shown, relations] = await settleAll(
      clustersOfEntity(tx, row.id),
      episodesOfEntity(tx, row.id),
      loadEntity(tx, row),
      listEntityRelations(tx, row.id),
    );
    const [clusters, episodes] = await settleAll(
      numbersThatPass(tx, "concept", { numbers: allClusters, passes: passing?.("concept") }),
      numbersThatPass(tx, "episode", { numbers: allEpisodes, passes: passing?.("episode") }),
    );
    const [records, withFacts] = await settleAll(
      loadList(context, takeShown(context, episodes), loadEpisodes),
      loadList(context, takeShown(context, clusters), loadWithFacts),
    );
    return {
      entity: shown,
      episodes: records,
      fact_clusters: withFacts,
      relations,
      ...countOmitted(context, episodes, clusters),
    };
  },
});

async function loadWithFacts(tx: Tx, clusters: readonly number[]) {
  const [records, numbers] = await settleAll(
    loadConcepts(tx, clusters),
    factsOfClusters(tx, clusters, { status: "active" }),
  );
  const facts = await loadFacts(tx, numbers);
  const factsOf = groupBy(facts, (fact) => fact.cluster_id);
  return records.map((record) => ({ ...record, facts: factsOf.get(record.id) ?? [] }));
}
