import { sql } from "drizzle-orm";
import { numberSet, selectRows, type Tx } from "../../database/index.ts";
import { episodes } from "../episodes/episode.table.ts";
import { facts } from "./fact.table.ts";
import { factWasValid } from "./fact-validity.ts";

export interface PresentStatement {
  readonly statement: string;
  readonly fact: number;
}

export async function presentStatements(
  tx: Tx,
  clusters: readonly number[],
  validAt?: string,
): Promise<Map<number, PresentStatement>> {
  if (clusters.length === 0) return new Map();
  const stored = factWasValid(validAt === undefined ? {} : { asOf: sql`${validAt}` });
  const rows = await selectRows<[cluster: number, statement: string, fact: number]>(
    tx,
    sql`select ${facts.clusterId}, ${episodes.content}, ${facts.id}
      from ${facts} inner join ${episodes} on ${episodes.id} = ${facts.episodeId}
      where ${facts.clusterId} in (${numberSet(clusters)}) and ${episodes.deletedAt} is null
        and ${stored}
      order by ${facts.validFrom}, ${facts.id}`,
  );
  return new Map(rows.map(([cluster, statement, fact]) => [cluster, { statement, fact }]));
}
