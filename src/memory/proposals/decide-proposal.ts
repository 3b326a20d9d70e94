import { eq } from "drizzle-orm";
import type { WriteContext } from "../context/write-context.ts";
import { episodeId, parseNumberedId, proposalId } from "../input/item-ids.ts";
import type { ProposalRow } from "./proposal.queries.ts";
import { proposals } from "./proposal.table.ts";

export interface Decision {
  readonly by?: string | undefined;
  readonly note?: string | undefined;
}

export async function becomeEpisode(
  context: WriteContext,
  row: ProposalRow,
  { episode, ...decision }: Decision & { readonly episode: string },
): Promise<void> {
  const number = parseNumberedId(episode, "episode", "episode");
  await decide(context, row, { status: "accepted", decision, episode: number });
}

export async function rejectProposal(
  context: WriteContext,
  row: ProposalRow,
  decision: Decision,
): Promise<void> {
  await decide(context, row, { status: "rejected", decision });
}

interface Decided {
  readonly status: "accepted" | "rejected";
  readonly decision: Decision;
  readonly episode?: number;
}

async function decide(
  context: WriteContext,
  { id }: ProposalRow,
  { status, decision: { by, note }, episode }: Decided,
): Promise<void> {
  const { tx, now } = context;
  await tx
    .update(proposals)
    .set({
      status,
      decidedAt: now,
      decidedBy: by ?? null,
      note: note ?? null,
      episodeId: episode ?? null,
    })
    .where(eq(proposals.id, id));
  await context.emit({
    kind: status,
    subjectType: "proposal",
    subjectId: proposalId(id),
    payload: {
      ...(episode !== undefined && { episode: episodeId(episode) }),
      note: note ?? null,
    },
    author: by,
  });
}
