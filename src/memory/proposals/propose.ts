import { eq } from "drizzle-orm";
import { insertNumberedRows, type Tx } from "../../database/index.ts";
import type { WriteContext } from "../context/write-context.ts";
import { checkEpisodeType } from "../episodes/remember-episode.ts";
import { checkTextSize } from "../input/check-text-size.ts";
import { proposalId } from "../input/item-ids.ts";
import { requireTopic } from "../topics/topic.queries.ts";
import {
  type Claim,
  createDraft,
  loadProposalsOfWording,
  type ProposalRow,
  readDraft,
  wordingHash,
} from "./proposal.queries.ts";
import { proposals } from "./proposal.table.ts";

export interface NewProposal {
  readonly claim: Claim;
  readonly reason?: string | undefined;
}

export interface Proposed {
  readonly number: number;
  readonly outcome: "new" | "again" | "rejected_before";
}

/**
 * Adds proposals in order. Repeating an open one in another session increments its count; rejected
 * ones are skipped.
 */
export async function propose(
  context: WriteContext,
  values: readonly NewProposal[],
): Promise<Proposed[]> {
  const { tx } = context;
  for (const { claim } of values) {
    checkTextSize(context.limits, "content", claim.content);
    checkEpisodeType(context, claim.episode_type);
  }
  const topics = await resolveTopics(tx, values);
  const hashes = values.map(({ claim }) => wordingHash(claim.content));
  const known = await loadProposalsOfWording(tx, hashes);
  const made = new Map<string, number>();
  const answers: Proposed[] = [];
  for (const [index, one] of values.entries()) {
    const hash = hashes[index] ?? "";
    const row = known.get(hash);
    const number = made.get(hash);
    if (number !== undefined) answers.push({ number, outcome: "again" });
    else if (row === undefined) {
      const topic = topics.get(one.claim.topic ?? "");
      const claim = { ...one.claim, ...(topic !== undefined && { topic }) };
      const created = await insertRows(context, { ...one, claim }, hash);
      made.set(hash, created);
      answers.push({ number: created, outcome: "new" });
    } else if (row.status === "rejected") {
      answers.push({ number: row.id, outcome: "rejected_before" });
    } else {
      await repeatProposals(context, row, one);
      made.set(hash, row.id);
      answers.push({ number: row.id, outcome: "again" });
    }
  }
  await reportProposed(context, values, answers);
  return answers;
}

async function resolveTopics(
  tx: Tx,
  values: readonly NewProposal[],
): Promise<ReadonlyMap<string, string>> {
  const ids = new Map<string, string>();
  for (const { claim } of values) {
    if (claim.topic === undefined || ids.has(claim.topic)) continue;
    ids.set(claim.topic, (await requireTopic(tx, claim.topic, "topic")).id);
  }
  return ids;
}

async function insertRows(
  { tx, now, options }: WriteContext,
  { claim, reason }: NewProposal,
  hash: string,
): Promise<number> {
  const session = claim.session ?? options.session;
  const draft = createDraft({ ...claim, ...(session !== undefined && { session }) });
  const [number] = await insertProposals(tx, [
    {
      status: "open",
      content: claim.content,
      wordingHash: hash,
      draft,
      reason: reason ?? null,
      times: 1,
      createdAt: now,
      seenAt: now,
    },
  ]);
  if (number === undefined) throw new Error("The proposal was not stored.");
  return number;
}

const insertProposals = insertNumberedRows(proposals, proposals.id);

async function repeatProposals(
  { tx, now, options }: WriteContext,
  row: ProposalRow,
  { claim }: NewProposal,
): Promise<void> {
  const before = readDraft(row.draft);
  const session = claim.session ?? options.session;
  const isFurther = session === undefined || session !== before.session;
  const draft = createDraft({
    ...before,
    content: row.content,
    ...(session !== undefined && { session }),
    evidence: [...new Set([...(before.evidence ?? []), ...(claim.evidence ?? [])])],
  });
  await tx
    .update(proposals)
    .set({ seenAt: now, times: row.times + (isFurther ? 1 : 0), draft })
    .where(eq(proposals.id, row.id));
}

async function reportProposed(
  context: WriteContext,
  values: readonly NewProposal[],
  answers: readonly Proposed[],
): Promise<void> {
  const reported = answers.filter(({ outcome }) => outcome !== "rejected_before");
  const ids = [...new Set(reported.map(({ number }) => proposalId(number)))];
  const [first] = ids;
  if (first === undefined) return;
  const [one] = values;
  await context.emit({
    kind: "proposed",
    subjectType: "proposal",
    subjectId: first,
    payload: { ids },
    author: one?.claim.asserted_by,
  });
}
