import { eq, inArray, sql } from "drizzle-orm";
import type { Tx } from "../../../database/index.ts";
import { groupBy } from "../../../shared/collections.ts";
import { createProblem, createRowProblem } from "../../context/problem.ts";
import { episodeEntities, episodes } from "../../episodes/episode.table.ts";
import { CLAIMING_TYPES, FACT_TYPE } from "../../episodes/episode-types.ts";
import { entityKey } from "../../facts/cluster-entities.ts";
import { statementHash } from "../../facts/fact.queries.ts";
import { clusterEntities, facts as factTable } from "../../facts/fact.table.ts";
import { findCircles, openCircles } from "../../facts/find-circles.ts";
import { factId } from "../../input/item-ids.ts";
import { loadInSlices } from "../../search/indexed-items.ts";
import type { Check } from "../check.ts";
import { counts } from "./counts.ts";

export const facts: Check = {
  name: "facts",
  about: "facts match their episodes; superseded facts have an end date",
  find: async (tx) => [
    ...(await createRowProblem(
      tx,
      "Fact episodes have no fact.",
      sql`select 'ep:' || id as item from episodes where episode_type = ${FACT_TYPE} and not exists (select 1 from facts where episode_id = episodes.id)`,
      false,
    )),
    ...(await createRowProblem(
      tx,
      "Facts belong to episodes of a type that has no facts.",
      sql`select 'fact:' || facts.id as item from facts join episodes on episodes.id = episode_id where episode_type not in (${CLAIMING_TYPE_LIST})`,
      false,
    )),
    ...(await createRowProblem(
      tx,
      "Superseded facts have no end or no successor, or active ones have one.",
      sql`select 'fact:' || id as item from facts where (status = 'superseded') <> (valid_to is not null) or (status = 'superseded') <> (superseded_by is not null) or superseded_by = id`,
      false,
    )),
    ...createProblem(
      "Facts supersede each other in a cycle.",
      (await findCircles(tx)).flat().map(factId),
    ),
    ...(await createRowProblem(
      tx,
      "Active facts are in clusters that are deleted.",
      sql`select 'fact:' || facts.id as item from facts join episodes on episodes.id = episode_id join concepts on concepts.id = cluster_id where status = 'active' and episodes.deleted_at is null and concepts.deleted_at is not null`,
      false,
    )),
    ...createProblem(
      "Facts are not found by their text or their entities.",
      (await findWrongKeys(tx)).map(({ id }) => `fact:${id}`),
    ),
    ...(await createRowProblem(
      tx,
      "Clusters are not found by the entities of their facts.",
      sql`select distinct coalesce((select public_id from concepts where id = cluster_id), cast(cluster_id as text)) as item from (select * from (${STORED_ENTITIES} except ${EXPECTED_ENTITIES}) as more union select * from (${EXPECTED_ENTITIES} except ${STORED_ENTITIES}) as fewer) as different`,
    )),
  ],
  async fix(tx) {
    await openCircles(tx);
    for (const { id, statement, entities } of await findWrongKeys(tx)) {
      await tx
        .update(factTable)
        .set({ statementHash: statement, entityKey: entities })
        .where(eq(factTable.id, id));
    }
    await tx.delete(clusterEntities);
    await tx.run(
      sql`insert into cluster_entities(cluster_id, entity_id, smallest) select * from (${EXPECTED_ENTITIES}) as expected`,
    );
    await counts.fix?.(tx);
  },
};

const CLAIMING_TYPE_LIST = sql.join(
  CLAIMING_TYPES.map((type) => sql`${type}`),
  sql`, `,
);

const STORED_ENTITIES = sql`select cluster_id, entity_id, smallest from cluster_entities`;
const EXPECTED_ENTITIES = sql`select facts.cluster_id, episode_entities.entity_id, min((select count(*) from episode_entities as own where own.episode_id = facts.episode_id)) from facts join episodes on episodes.id = facts.episode_id join episode_entities on episode_entities.episode_id = facts.episode_id where facts.status = 'active' and episodes.deleted_at is null group by 1, 2`;

interface FactKeys {
  readonly id: number;
  readonly statement: string;
  readonly entities: string;
}

async function findWrongKeys(tx: Tx): Promise<FactKeys[]> {
  const numbers = await tx.select({ id: factTable.id }).from(factTable);
  const wrong: FactKeys[] = [];
  await loadInSlices(numbers, async (slice) => {
    const rows = await tx
      .select({ fact: factTable, content: episodes.content })
      .from(factTable)
      .innerJoin(episodes, eq(episodes.id, factTable.episodeId))
      .where(
        inArray(
          factTable.id,
          slice.map(({ id }) => id),
        ),
      );
    const mentions = groupBy(
      await tx
        .select()
        .from(episodeEntities)
        .where(
          inArray(
            episodeEntities.episodeId,
            rows.map(({ fact }) => fact.episodeId),
          ),
        ),
      (row) => row.episodeId,
    );
    for (const { fact, content } of rows) {
      const named = (mentions.get(fact.episodeId) ?? []).map((row) => row.entityId);
      const keys = { id: fact.id, statement: statementHash(content), entities: entityKey(named) };
      if (keys.statement !== fact.statementHash || keys.entities !== fact.entityKey)
        wrong.push(keys);
    }
  });
  return wrong;
}
