import type { WriteContext } from "../context/write-context.ts";
import type { ProposalRow } from "../proposals/proposal.queries.ts";
import { becomeEpisode, type Decision, readDraft } from "../proposals/proposal.queries.ts";
import { findReplaced } from "./find-replaced.ts";
import { type StoredClaim, storeClaim } from "./store-claims.ts";

export async function acceptProposal(
  context: WriteContext,
  row: ProposalRow,
  decision: Decision,
): Promise<Omit<StoredClaim, "index">> {
  const claim = { content: row.content, ...readDraft(row.draft) };
  const stored = await storeClaim(context, claim, await findReplaced(context, claim, []));
  await becomeEpisode(context, row, { ...decision, episode: stored.id });
  return stored;
}
