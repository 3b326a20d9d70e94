import { sql } from "drizzle-orm";
import { FACT_CLUSTER } from "../../concepts/concept.schema.ts";
import { createRowProblem } from "../../context/problem.ts";
import type { Check } from "../check.ts";

/** Correct `instance_count`: active facts of a cluster, else distinct source episodes. */
const EXPECTED_COUNT = sql`case when type = ${FACT_CLUSTER}
  then (select count(*) from facts join episodes on episodes.id = facts.episode_id where facts.cluster_id = concepts.id and facts.status = 'active' and episodes.deleted_at is null)
  else (select count(*) from concept_sources where concept_id = concepts.id) end`;

export const counts: Check = {
  name: "counts",
  about: "every concept counts its facts or episodes correctly",
  find: (tx) =>
    createRowProblem(
      tx,
      "Concepts have a wrong count of facts or source episodes.",
      sql`select public_id as item from concepts where deleted_at is null and instance_count <> ${EXPECTED_COUNT}`,
    ),
  async fix(tx) {
    await tx.run(
      sql`update concepts set instance_count = ${EXPECTED_COUNT} where deleted_at is null and instance_count <> ${EXPECTED_COUNT}`,
    );
  },
};
