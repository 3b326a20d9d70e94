import { and, eq } from "drizzle-orm";
import { invalidInput } from "../../shared/errors.ts";
import { refreshCluster } from "../concepts/refresh-cluster.ts";
import { conflictPair } from "../conflicts/conflict.queries.ts";
import { conflicts } from "../conflicts/conflict.table.ts";
import type { WriteContext } from "../context/write-context.ts";
import { episodes } from "../episodes/episode.table.ts";
import { factId } from "../input/item-ids.ts";
import { updateTitleFromFacts } from "./cluster-title.ts";
import type { FactRow } from "./fact.queries.ts";
import { facts } from "./fact.table.ts";

export interface Supersession {
  readonly old: FactRow;
  readonly winner: FactRow;
  readonly note: string | null;
  /** Timestamp at which `old` ended; undefined: when `winner` begins. */
  readonly until?: string | undefined;
}

/**
 * Supersedes `old` by `winner`: `old` is stored as history and hidden from recall, and their open
 * conflicts are resolved. Both must be active. Returns the end of `old`. Throws invalid_input if
 * `until` precedes its beginning.
 */
export async function supersedeFact(
  context: WriteContext,
  { old, winner, note, until }: Supersession,
): Promise<string> {
  if (old.id === winner.id) throw invalidInput("new: a fact cannot supersede itself");
  const { tx, now } = context;
  if (until !== undefined && until < old.validFrom) {
    throw invalidInput(
      `until: ${factId(old.id)} is valid from ${old.validFrom}; use that time or a later one`,
    );
  }
  const validTo = until ?? endValidity(winner, old, now);
  await tx
    .update(facts)
    .set({ status: "superseded", validTo, supersededBy: winner.id, supersededAt: now })
    .where(eq(facts.id, old.id));
  await tx
    .update(conflicts)
    .set({ status: "resolved", winner: winner.id, resolvedAt: now, note })
    .where(and(eq(conflicts.pair, conflictPair(old.id, winner.id)), eq(conflicts.status, "open")));
  await refreshCluster(context, old.clusterId);
  const [episode] = await tx.select().from(episodes).where(eq(episodes.id, old.episodeId));
  await updateTitleFromFacts(context, {
    cluster: old.clusterId,
    formerText: episode?.content ?? "",
  });
  context.touch("episode", old.episodeId);
  return validTo;
}

function endValidity(winner: FactRow, old: FactRow, now: string): string {
  if (winner.validFrom > old.validFrom) return winner.validFrom;
  // A future fact that is withdrawn early was never valid: it ends when it begins.
  return old.validFrom > now ? old.validFrom : now;
}

/** Adjusts the end of superseded facts when the beginning of `winner` changes. */
export async function updateValidFrom(
  context: WriteContext,
  winner: FactRow,
  validFrom: string,
): Promise<void> {
  const { tx } = context;
  const former = await tx
    .select()
    .from(facts)
    .where(and(eq(facts.supersededBy, winner.id), eq(facts.validTo, winner.validFrom)));
  for (const old of former) {
    if (old.validFrom >= winner.validFrom) continue;
    const validTo = validFrom > old.validFrom ? validFrom : old.validFrom;
    await tx.update(facts).set({ validTo }).where(eq(facts.id, old.id));
    context.touch("episode", old.episodeId);
  }
}
