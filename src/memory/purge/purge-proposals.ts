import { eq, or, sql } from "drizzle-orm";
import { contains } from "../../database/index.ts";
import { loadInBatches } from "../../shared/async.ts";
import { purgedItems } from "../context/meta.table.ts";
import type { WriteContext } from "../context/write-context.ts";
import { rowsCondition } from "../history/find-item.ts";
import { passageId, proposalId } from "../input/item-ids.ts";
import { requireProposal } from "../proposals/proposal.queries.ts";
import { proposals } from "../proposals/proposal.table.ts";
import { clearNotes } from "./clear-notes.ts";
import { purgeStoredResults } from "./purge-answers.ts";

export async function purgeProposal(context: WriteContext, id: string): Promise<readonly string[]> {
  const { id: number } = await requireProposal(context.tx, id, "ids");
  await removeProposals(context, [number]);
  await context.emit({
    kind: "deleted",
    subjectType: "proposal",
    subjectId: id,
    payload: { op: "purge" },
  });
  return [id];
}

/** Purges the proposal that became this episode. The episode's own event reports it. */
export async function purgeProposalsOfEpisode(context: WriteContext, episode: number) {
  const rows = await context.tx
    .select({ id: proposals.id })
    .from(proposals)
    .where(eq(proposals.episodeId, episode));
  await removeProposals(
    context,
    rows.map(({ id }) => id),
  );
}

export async function purgeProposalsOnPassages(context: WriteContext, passages: readonly number[]) {
  const rows = await loadInBatches([...passages], (slice) =>
    context.tx
      .select({ id: proposals.id })
      .from(proposals)
      .where(
        or(
          ...slice.map((number) =>
            contains(sql`${proposals.draft}`, sql`${JSON.stringify(passageId(number))}`),
          ),
        ),
      ),
  );
  await removeProposals(context, [...new Set(rows.map(({ id }) => id))]);
}

async function removeProposals(context: WriteContext, numbers: readonly number[]): Promise<void> {
  const { tx, now } = context;
  for (const number of numbers) {
    const id = proposalId(number);
    const [row] = await tx.select().from(proposals).where(eq(proposals.id, number));
    await tx.delete(proposals).where(eq(proposals.id, number));
    await clearNotes(tx, rowsCondition({ item: id, kind: "proposal", key: number }));
    await tx.insert(purgedItems).values({ item: id, ts: now }).onConflictDoNothing();
    if (row !== undefined) await purgeStoredResults(tx, [id], new Set([row.content]));
  }
}
