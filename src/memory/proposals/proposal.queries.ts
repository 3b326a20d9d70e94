import { and, count, desc, eq, gte, inArray, lt, ne, type SQL } from "drizzle-orm";
import type { Tx } from "../../database/index.ts";
import { loadInBatches } from "../../shared/async.ts";
import { indexBy } from "../../shared/collections.ts";
import { notFound, stateConflict } from "../../shared/errors.ts";
import { isBelow, type Page } from "../context/place.ts";
import type { WriteContext } from "../context/write-context.ts";
import { entityId } from "../entities/entity.queries.ts";
import { episodeId, parseNumberedId, proposalId } from "../input/item-ids.ts";
import { labelText } from "../input/parse-labels.ts";
import { readDraft } from "./claim.ts";
import type { ProposalRecord, ShownStatus } from "./proposal.schema.ts";
import { proposals } from "./proposal.table.ts";

export type ProposalRow = typeof proposals.$inferSelect;

export function fadedBefore({ now, limits }: Pick<WriteContext, "now" | "limits">): string {
  const days = limits.proposalDays * 24 * 60 * 60 * 1000;
  return new Date(Date.parse(now) - days).toISOString();
}

export interface ProposalFilter {
  readonly status: ShownStatus | "all";
  /** As `fadedBefore` says. */
  readonly faded: string;
  readonly passes?: SQL | undefined;
}

function isListed({ status, faded }: ProposalFilter): SQL | undefined {
  if (status === "all") return undefined;
  if (status === "open") return and(eq(proposals.status, status), gte(proposals.seenAt, faded));
  if (status === "faded") return and(eq(proposals.status, "open"), lt(proposals.seenAt, faded));
  return eq(proposals.status, status);
}

export async function listProposalPlaces(
  tx: Tx,
  filter: ProposalFilter,
  page?: Page,
): Promise<[time: string, number: number][]> {
  const { seenAt, id } = proposals;
  const query = tx
    .select({ time: seenAt, id })
    .from(proposals)
    .where(and(isListed(filter), filter.passes, isBelow([seenAt, id], page?.after)))
    .orderBy(desc(seenAt), desc(id));
  const rows = page === undefined ? await query : await query.limit(page.limit).offset(page.offset);
  return rows.map((row) => [row.time, row.id]);
}

export async function countProposals(tx: Tx, filter: ProposalFilter): Promise<number> {
  const [row] = await tx
    .select({ total: count() })
    .from(proposals)
    .where(and(isListed(filter), filter.passes));
  return row?.total ?? 0;
}

/** Records in the order of these numbers. */
export async function loadProposals(
  tx: Tx,
  numbers: readonly number[],
  faded: string,
): Promise<ProposalRecord[]> {
  const rows = await loadInBatches([...numbers], (slice) =>
    tx.select().from(proposals).where(inArray(proposals.id, slice)),
  );
  const byNumber = indexBy(rows, ({ id }) => id);
  return numbers.flatMap((number) => {
    const row = byNumber.get(number);
    return row === undefined ? [] : [toProposalRecord(row, faded)];
  });
}

/** As it is shown; of what was said last before `faded` that it has. */
export function toProposalRecord(row: ProposalRow, faded: string): ProposalRecord {
  const draft = readDraft(row.draft);
  return {
    id: proposalId(row.id),
    status: row.status === "open" && row.seenAt < faded ? "faded" : row.status,
    content: row.content,
    episode_type: draft.episode_type,
    entities: (draft.entities ?? []).map(entityId),
    topic_id: draft.topic ?? null,
    labels: (draft.labels ?? []).map(labelText),
    asserted_by: draft.asserted_by ?? null,
    session: draft.session ?? null,
    occurred_at: draft.occurred_at ?? null,
    quotation: draft.quotation ?? null,
    evidence: draft.evidence ?? [],
    corrects: draft.corrects ?? false,
    rejects: draft.rejects ?? [],
    reason: row.reason,
    times: row.times,
    created_at: row.createdAt,
    seen_at: row.seenAt,
    decided_at: row.decidedAt,
    decided_by: row.decidedBy,
    note: row.note,
    episode_id: row.episodeId === null ? null : episodeId(row.episodeId),
  };
}

/** A proposal that nobody has decided. Throws not_found, or conflict for one that is decided. */
export async function requireOpenProposal(tx: Tx, id: string, field: string): Promise<ProposalRow> {
  const row = await requireProposal(tx, id, field);
  if (row.status === "open") return row;
  throw stateConflict(`${field}: ${id} is already ${row.status}; \`cairn undo\` takes that back`);
}

export async function requireProposal(tx: Tx, id: string, field: string): Promise<ProposalRow> {
  const number = parseNumberedId(id, "proposal", field);
  const [row] = await tx.select().from(proposals).where(eq(proposals.id, number));
  if (row !== undefined) return row;
  throw notFound(`${field}: there is no ${id}; \`cairn list proposals\` lists them`);
}

export async function proposalsOfWording(
  tx: Tx,
  hashes: readonly string[],
): Promise<ReadonlyMap<string, ProposalRow>> {
  const rows = await loadInBatches([...hashes], (slice) =>
    tx
      .select()
      .from(proposals)
      .where(and(inArray(proposals.wordingHash, slice), ne(proposals.status, "accepted"))),
  );
  const ordered = [...rows].sort(
    (a, b) => Number(a.status === "open") - Number(b.status === "open"),
  );
  return new Map(ordered.map((row) => [row.wordingHash, row]));
}
