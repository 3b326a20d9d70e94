import { createHash } from "node:crypto";
import { and, count, desc, eq, gte, inArray, lt, ne, type SQL } from "drizzle-orm";
import { z } from "zod";
import type { Tx } from "../../database/index.ts";
import { loadInBatches } from "../../shared/async.ts";
import { indexBy } from "../../shared/collections.ts";
import { invalidInput, notFound, stateConflict } from "../../shared/errors.ts";
import type { JsonObject } from "../../shared/json.ts";
import { isBelow, type Page } from "../context/page-cursor.ts";
import type { WriteContext } from "../context/write-context.ts";
import { entityId } from "../entities/entity.queries.ts";
import type { NewEpisode } from "../episodes/remember-episode.ts";
import {
  contentField,
  entitiesField,
  labelsField,
  listField,
  metadataField,
  nameField,
  noteField,
  referenceField,
  startTimeField,
  topicField,
} from "../input/fields.ts";
import { episodeId, kindOfId, parseNumberedId, proposalId } from "../input/item-ids.ts";
import { labelText } from "../input/parse-labels.ts";
import type { ProposalRecord, ShownStatus } from "./proposal.schema.ts";
import { proposals } from "./proposal.table.ts";

const draftFields = {
  episode_type: nameField
    .default("observation")
    .describe("Type once accepted: decision, preference, fact, outcome, …"),
  entities: entitiesField.optional().describe("Comma-separated type:name."),
  topic: topicField.optional().describe("Id or name of a topic."),
  labels: labelsField.optional().describe("Comma-separated key=value."),
  metadata: metadataField.optional().describe("JSON object of further data."),
  source_type: nameField.optional().describe("Kind of source, in your own words."),
  asserted_by: nameField.optional().describe("Author of the statement."),
  session: referenceField.optional().describe("Session of the statement."),
  occurred_at: startTimeField.optional().describe("Time of the statement, default now; ISO 8601."),
  quotation: noteField.optional().describe("Quotation that supports it."),
  evidence: listField
    .optional()
    .describe("Passages that support it, the quoted one first: passage:12."),
  corrects: z.boolean().optional().describe("True if it corrects an earlier memory."),
  rejects: listField.optional().describe("Terms that no longer apply, e.g. npm."),
};

export const claimFields = {
  content: contentField.describe("Full sentences that stand alone."),
  ...draftFields,
};

const claimSchema = z.strictObject(claimFields);
export type Claim = z.output<typeof claimSchema>;

const draftSchema = z.strictObject(draftFields);
type Draft = z.output<typeof draftSchema>;

export function createDraft({ content: _content, entities, ...rest }: Claim): JsonObject {
  const draft = {
    ...rest,
    ...(entities && { entities: entities.map(({ type, name }) => `${type}:${name}`) }),
  };
  return JSON.parse(JSON.stringify(draft)) as JsonObject;
}

export function readDraft(draft: unknown): Draft {
  const parsed = draftSchema.safeParse(draft);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw invalidInput(`draft: ${issue?.path.join(".") ?? ""} ${issue?.message ?? "is damaged"}`);
}

export function toEpisode(content: string, draft: Draft): NewEpisode {
  const { quotation, evidence = [], corrects, rejects = [], ...episode } = draft;
  const passage = evidence.find((id) => kindOfId(id) === "passage");
  const learned = {
    ...(quotation !== undefined && { quotation }),
    ...(evidence.length > 0 && { evidence: [...evidence] }),
    ...(corrects === true && { corrects }),
    ...(rejects.length > 0 && { rejects: [...rejects] }),
  };
  return {
    content,
    ...episode,
    ...(passage !== undefined && { source_ref: passage }),
    ...(Object.keys(learned).length > 0 && {
      metadata: { ...episode.metadata, [LEARNED_KEY]: learned },
    }),
  };
}

const LEARNED_KEY = "learned";

export function wordingHash(text: string): string {
  const words = text
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
  return createHash("sha256").update(words).digest("hex");
}

export type ProposalRow = typeof proposals.$inferSelect;

export function expiryTime({ now, limits }: Pick<WriteContext, "now" | "limits">): string {
  const days = limits.proposalDays * 24 * 60 * 60 * 1000;
  return new Date(Date.parse(now) - days).toISOString();
}

export interface ProposalFilter {
  readonly status: ShownStatus | "all";
  readonly faded: string;
  readonly passes?: SQL | undefined;
}

function isListed({ status, faded }: ProposalFilter): SQL | undefined {
  if (status === "all") return undefined;
  if (status === "open") return and(eq(proposals.status, status), gte(proposals.seenAt, faded));
  if (status === "faded") return and(eq(proposals.status, "open"), lt(proposals.seenAt, faded));
  return eq(proposals.status, status);
}

export async function listProposalPositions(
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

/** Converts a row; proposals last mentioned before `faded` are expired. */
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

/** Loads an undecided proposal. Throws not_found, or conflict if it was decided. */
export async function requireOpenProposal(tx: Tx, id: string, field: string): Promise<ProposalRow> {
  const row = await requireProposal(tx, id, field);
  if (row.status === "open") return row;
  throw stateConflict(`${field}: ${id} is already ${row.status}; \`cairn undo\` reverts that`);
}

export async function requireProposal(tx: Tx, id: string, field: string): Promise<ProposalRow> {
  const number = parseNumberedId(id, "proposal", field);
  const [row] = await tx.select().from(proposals).where(eq(proposals.id, number));
  if (row !== undefined) return row;
  throw notFound(`${field}: there is no ${id}; \`cairn list proposals\` lists them`);
}

export async function loadProposalsOfWording(
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
  await decideProposal(context, row, { status: "accepted", decision, episode: number });
}

export async function rejectProposal(
  context: WriteContext,
  row: ProposalRow,
  decision: Decision,
): Promise<void> {
  await decideProposal(context, row, { status: "rejected", decision });
}

interface DecidedProposal {
  readonly status: "accepted" | "rejected";
  readonly decision: Decision;
  readonly episode?: number;
}

async function decideProposal(
  context: WriteContext,
  { id }: ProposalRow,
  { status, decision: { by, note }, episode }: DecidedProposal,
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
