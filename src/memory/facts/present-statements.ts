import { sql } from "drizzle-orm";
import { numberSet, rowsOf, type Tx } from "../../database/index.ts";
import { episodes } from "../episodes/episode.table.ts";
import { facts } from "./fact.table.ts";
import { factHeld } from "./fact-held.ts";

/** What a cluster of facts says, and the number of the fact that says it. */
export interface PresentStatement {
  readonly statement: string;
  readonly fact: number;
}

/**
 * The newest fact of each cluster that holds, now or at a time; by the cluster's number. A cluster
 * of which nothing holds is not among them.
 */
export async function presentStatements(
  tx: Tx,
  clusters: readonly number[],
  validAt?: string,
): Promise<Map<number, PresentStatement>> {
  if (clusters.length === 0) return new Map();
  const held = factHeld(validAt === undefined ? {} : { asOf: sql`${validAt}` });
  const rows = await rowsOf<[cluster: number, statement: string, fact: number]>(
    tx,
    sql`select ${facts.clusterId}, ${episodes.content}, ${facts.id}
      from ${facts} inner join ${episodes} on ${episodes.id} = ${facts.episodeId}
      where ${facts.clusterId} in (${numberSet(clusters)}) and ${episodes.deletedAt} is null
        and ${held}
      order by ${facts.validFrom}, ${facts.id}`,
  );
  // The newest comes last, and stays.
  return new Map(rows.map(([cluster, statement, fact]) => [cluster, { statement, fact }]));
}
