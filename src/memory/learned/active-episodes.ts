import { and, desc, eq, inArray, isNull, or, type SQL } from "drizzle-orm";
import type { Tx } from "../../database/index.ts";
import { episodes } from "../episodes/episode.table.ts";
import { facts } from "../facts/fact.table.ts";

export interface ActiveClaim {
  readonly number: number;
  readonly content: string;
  readonly type: string;
  readonly metadata: Readonly<Record<string, unknown>> | null;
  readonly at: string;
}

export function activeClaimCondition(types: readonly string[]): SQL | undefined {
  return and(
    isNull(episodes.deletedAt),
    inArray(episodes.episodeType, [...types]),
    or(isNull(facts.id), eq(facts.status, "active")),
  );
}

export async function loadActiveEpisodes(
  tx: Tx,
  {
    types,
    where,
    limit,
  }: { readonly types: readonly string[]; readonly where: SQL | undefined; readonly limit: number },
): Promise<ActiveClaim[]> {
  const rows = await tx
    .select({ episode: episodes })
    .from(episodes)
    .leftJoin(facts, eq(facts.episodeId, episodes.id))
    .where(and(activeClaimCondition(types), where))
    .orderBy(desc(episodes.id))
    .limit(limit);
  return rows.map(({ episode }) => ({
    number: episode.id,
    content: episode.content,
    type: episode.episodeType,
    metadata: episode.metadata,
    at: episode.occurredAt ?? episode.createdAt,
  }));
}
