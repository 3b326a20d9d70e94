import { and, eq } from "drizzle-orm";
import { invalidInput } from "../../kernel/errors.ts";
import { refreshCluster } from "../concepts/refresh-cluster.ts";
import { conflictPair } from "../conflicts/conflict.queries.ts";
import { conflicts } from "../conflicts/conflict.table.ts";
import type { WriteContext } from "../context/write-context.ts";
import { episodes } from "../episodes/episode.table.ts";
import { followFacts } from "./cluster-title.ts";
import type { FactRow } from "./fact.queries.ts";
import { facts } from "./fact.table.ts";

/**
 * Closes `old` in favour of `winner`: kept as history, hidden from recall. Every open conflict
 * between the two is resolved with it. Both must be active.
 */
export async function supersedeFact(
  context: WriteContext,
  { old, winner, note }: { old: FactRow; winner: FactRow; note: string | null },
): Promise<void> {
  if (old.id === winner.id) throw invalidInput("new: a fact cannot supersede itself");
  const { tx, now } = context;
  // A fact of the future that is withdrawn before then has held at no time, but not backwards.
  const validTo = old.validFrom > now ? old.validFrom : now;
  await tx
    .update(facts)
    .set({ status: "superseded", validTo, supersededBy: winner.id })
    .where(eq(facts.id, old.id));
  await tx
    .update(conflicts)
    .set({ status: "resolved", winner: winner.id, resolvedAt: now, note })
    .where(and(eq(conflicts.pair, conflictPair(old.id, winner.id)), eq(conflicts.status, "open")));
  await refreshCluster(context, old.clusterId);
  const [episode] = await tx.select().from(episodes).where(eq(episodes.id, old.episodeId));
  await followFacts(context, { cluster: old.clusterId, formerText: episode?.content ?? "" });
  context.touch("episode", old.episodeId);
}
