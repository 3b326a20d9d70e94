import { and, desc, eq, gt, isNull, or, sql } from "drizzle-orm";
import { contains, type Tx } from "../../database/index.ts";
import { conflictPair } from "../conflicts/conflict.queries.ts";
import { conflicts } from "../conflicts/conflict.table.ts";
import { openConflictBetween } from "../conflicts/open-conflict.ts";
import type { WriteContext } from "../context/write-context.ts";
import { episodes } from "../episodes/episode.table.ts";
import { rememberAll } from "../episodes/remember-all.ts";
import { claimFacts } from "../facts/claim-episode.ts";
import { supersedeFact } from "../facts/supersede-fact.ts";
import { episodeId, factId, passageId, proposalId } from "../input/item-ids.ts";
import {
  becomeEpisode,
  type Claim,
  createDraft,
  loadProposalsOfWording,
  readDraft,
  toEpisode,
  wordingHash,
} from "../proposals/proposal.queries.ts";
import { propose } from "../proposals/propose.ts";
import { passages, sources } from "../sources/source.table.ts";
import { episodesShown } from "./active-claims.ts";
import type { ActiveClaim } from "./active-episodes.ts";
import { type ClaimEffect, findReplaced } from "./find-replaced.ts";

export interface JudgedClaim extends Claim {
  readonly verdict: "accept" | "propose";
  readonly reason?: string | undefined;
  /** Discards the claim if it replaces no earlier statement. */
  readonly only_if_replaces?: boolean | undefined;
}

export interface LearnedBatch {
  readonly claims: readonly JudgedClaim[];
  readonly shown: readonly string[];
  /** The session's source, which contains its passages. */
  readonly source: SourceName | undefined;
}

export interface FormerClaim {
  readonly id: string;
  readonly content: string;
}

export interface StoredClaim {
  readonly index: number;
  readonly id: string;
  readonly content: string;
  readonly episode_type: string;
  readonly replaced: readonly FormerClaim[];
  readonly disputed: readonly (FormerClaim & { readonly conflict_id: string })[];
  readonly replaced_by?: FormerClaim | undefined;
}

export interface Learned {
  readonly kept: readonly StoredClaim[];
  readonly proposed: readonly { readonly index: number; readonly id: string }[];
  /** Claims that repeat existing statements. */
  readonly known: readonly { readonly index: number; readonly id: string }[];
}

/**
 * The single entry point for learning: stores accepted claims with what they replace or dispute,
 * proposes the others, and skips known ones, in one change with one event.
 */
export async function storeClaims(
  context: WriteContext,
  { claims, shown, source }: LearnedBatch,
): Promise<Learned> {
  const before = await episodesShown(context.tx, shown);
  const learned = { kept: [], proposed: [], known: [] } as {
    kept: StoredClaim[];
    proposed: Learned["proposed"][number][];
    known: Learned["known"][number][];
  };
  for (const [index, judged] of claims.entries()) {
    const { verdict, reason, only_if_replaces: onlyReplaces = false, ...claimInput } = judged;
    const claim = await addPassage(context.tx, limitToNow(claimInput, context.now), source);
    const known = await storedInSession(context, claim);
    if (known !== undefined) {
      learned.known.push({ index, id: known });
      continue;
    }
    const effect = await findReplaced(context, claim, before);
    if (onlyReplaces && effect.replaces.length === 0) continue;
    const isOver = verdict === "propose" && effect.overruledBy !== undefined;
    const message = effect.same ?? (isOver ? effect.overruledBy : undefined);
    if (message !== undefined && effect.replaces.length === 0) {
      learned.known.push({ index, id: episodeId(message.number) });
    } else if (verdict === "propose") {
      const [created] = await propose(context, [{ claim, reason }]);
      if (created !== undefined && created.outcome !== "rejected_before") {
        learned.proposed.push({ index, id: proposalId(created.number) });
      }
    } else {
      const stored = await storeClaim(context, claim, effect);
      await confirmProposal(context, claim, stored.id);
      learned.kept.push({ index, ...stored });
    }
  }
  await reportLearned(context, learned);
  return learned;
}

/** A statement from a client with a fast clock is valid at once. */
function limitToNow<Claimed extends { readonly occurred_at?: string | undefined }>(
  claim: Claimed,
  now: string,
): Claimed {
  const { occurred_at: at } = claim;
  return at !== undefined && at > now ? { ...claim, occurred_at: now } : claim;
}

export async function storeClaim(
  context: WriteContext,
  claim: Claim,
  effect: ClaimEffect,
): Promise<Omit<StoredClaim, "index">> {
  const { content, type } = effect.amended ?? { content: claim.content, type: claim.episode_type };
  const id =
    effect.same === undefined
      ? await rememberClaim(context, { ...claim, content, episode_type: type })
      : episodeId(effect.same.number);
  const replaced: FormerClaim[] = [];
  for (const stored of effect.replaces) {
    const note = claim.quotation ?? claim.content;
    await replaceClaim(context, { former: episodeId(stored.number), winner: id, note });
    replaced.push(getFormer(stored));
  }
  const disputed: StoredClaim["disputed"][number][] = [];
  for (const active of effect.disputes) {
    const conflict = await openDispute(context, {
      id,
      active,
      note: claim.quotation ?? claim.content,
    });
    if (conflict !== undefined) disputed.push({ ...getFormer(active), conflict_id: conflict });
  }
  const stored = { id, content, episode_type: type, replaced, disputed };
  const later = effect.overruledBy;
  if (later === undefined) return stored;
  await replaceClaim(context, { former: id, winner: episodeId(later.number), note: later.content });
  return { ...stored, replaced_by: getFormer(later) };
}

async function rememberClaim(context: WriteContext, claim: Claim): Promise<string> {
  const [stored] = await rememberAll(context, [
    toEpisode(claim.content, readDraft(createDraft(claim))),
  ]);
  if (stored === undefined) throw new Error("The episode was not stored.");
  return stored.id;
}

async function confirmProposal(context: WriteContext, claim: Claim, episode: string) {
  const hash = wordingHash(claim.content);
  const row = (await loadProposalsOfWording(context.tx, [hash])).get(hash);
  if (row?.status === "open") await becomeEpisode(context, row, { episode, by: claim.asserted_by });
}

const getFormer = ({ number, content }: ActiveClaim): FormerClaim => ({
  id: episodeId(number),
  content,
});

interface Pair {
  readonly id: string;
  readonly active: ActiveClaim;
  readonly note: string;
}

async function openDispute(
  context: WriteContext,
  { id, active, note }: Pair,
): Promise<string | undefined> {
  const [factA, factB] = await claimFacts(context, [
    { id: episodeId(active.number), field: "fact_a" },
    { id, field: "fact_b" },
  ]);
  const [open] = await context.tx
    .select({ id: conflicts.id })
    .from(conflicts)
    .where(and(eq(conflicts.pair, conflictPair(factA.id, factB.id)), eq(conflicts.status, "open")));
  if (open !== undefined) return undefined;
  const conflict = await openConflictBetween(context, {
    ...{ factA, factB },
    severity: "medium",
    description: note,
  });
  return conflict.id;
}

async function storedInSession(context: WriteContext, claim: Claim): Promise<string | undefined> {
  const session = claim.session ?? context.options.session;
  if (session === undefined) return undefined;
  const rows = await context.tx
    .select({ id: episodes.id, content: episodes.content, metadata: episodes.metadata })
    .from(episodes)
    .where(
      and(
        eq(episodes.session, session),
        or(isNull(episodes.deletedAt), gt(episodes.deletedAt, claim.occurred_at ?? context.now)),
      ),
    );
  const hash = wordingHash(claim.content);
  const found = rows.find(
    ({ content, metadata }) =>
      wordingHash(content) === hash ||
      (claim.quotation !== undefined && readQuotation(metadata) === claim.quotation),
  );
  return found === undefined ? undefined : episodeId(found.id);
}

function readQuotation(metadata: Readonly<Record<string, unknown>> | null): string | undefined {
  const learned = metadata?.learned;
  if (typeof learned !== "object" || learned === null || !("quotation" in learned))
    return undefined;
  return typeof learned.quotation === "string" ? learned.quotation : undefined;
}

async function reportLearned(context: WriteContext, { kept, proposed }: Learned): Promise<void> {
  const [first] = kept;
  if (first === undefined) return;
  await context.emit({
    kind: "learned",
    subjectType: "episode",
    subjectId: first.id,
    payload: {
      ids: [...new Set(kept.map(({ id }) => id))],
      replaced: kept.flatMap(({ replaced }) => replaced.map(({ id }) => id)),
      proposed: proposed.map(({ id }) => id),
    },
  });
}

interface Replacement {
  readonly former: string;
  readonly winner: string;
  readonly note: string;
}

async function replaceClaim(
  context: WriteContext,
  { former, winner: id, note }: Replacement,
): Promise<void> {
  const [old, winner] = await claimFacts(context, [
    { id: former, field: "old" },
    { id, field: "new" },
  ]);
  await supersedeFact(context, { old, winner, note });
  await context.emit({
    kind: "superseded",
    subjectType: "fact",
    subjectId: factId(old.id),
    payload: { old: factId(old.id), new: factId(winner.id), note },
    about: [former, id],
  });
}

interface SourceName {
  readonly kind: string;
  readonly key: string;
}

async function addPassage<Of extends Claim>(
  tx: Tx,
  claim: Of,
  source: SourceName | undefined,
): Promise<Of> {
  const { quotation, evidence = [] } = claim;
  if (source === undefined || quotation === undefined || evidence.length > 0) return claim;
  const [found] = await tx
    .select({ id: passages.id })
    .from(passages)
    .innerJoin(sources, eq(sources.id, passages.sourceId))
    .where(
      and(
        eq(sources.kind, source.kind),
        eq(sources.key, source.key),
        isNull(sources.deletedAt),
        isNull(passages.deletedAt),
        contains(sql`${passages.content}`, sql`${quotation}`),
      ),
    )
    .orderBy(desc(passages.id))
    .limit(1);
  return found === undefined ? claim : { ...claim, evidence: [passageId(found.id)] };
}
