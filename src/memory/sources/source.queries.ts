import { createHash } from "node:crypto";
import { and, asc, count, desc, eq, inArray, isNull, type SQL, sql } from "drizzle-orm";
import { listOfValues, numbersParameter, preparedQuery, type Tx } from "../../database/index.ts";
import { loadInBatches } from "../../shared/async.ts";
import { notFound } from "../../shared/errors.ts";
import type { Page } from "../context/page-cursor.ts";
import { parseNumberedId, passageId, sourceId } from "../input/item-ids.ts";
import { LEARNED_THROUGH } from "./learning-progress.ts";
import type { SegmentState } from "./segments.ts";
import type { PassageRecord, SourceRecord } from "./source.schema.ts";
import { passages, sources } from "./source.table.ts";

export type SourceRow = typeof sources.$inferSelect;
export type PassageRow = typeof passages.$inferSelect;

export async function findSourceByKey(
  tx: Tx,
  { kind, key }: Pick<SourceRow, "kind" | "key">,
): Promise<SourceRow | undefined> {
  const [row] = await tx
    .select()
    .from(sources)
    .where(and(eq(sources.kind, kind), inArray(sources.key, [key, purgedKey({ kind, key })])));
  return row;
}

export function purgedKey({ kind, key }: Pick<SourceRow, "kind" | "key">): string {
  return `purged:${createHash("sha256").update(`${kind}\n${key}`).digest("hex")}`;
}

export async function findSource(tx: Tx, id: string, field: string): Promise<SourceRow> {
  const number = parseNumberedId(id, "source", field);
  const [row] = await tx.select().from(sources).where(eq(sources.id, number));
  if (row === undefined)
    throw notFound(`${field}: there is no ${id}; \`cairn sources\` lists them`);
  return row;
}

export async function findPassage(tx: Tx, id: string, field: string): Promise<PassageRow> {
  const number = parseNumberedId(id, "passage", field);
  const [row] = await tx.select().from(passages).where(eq(passages.id, number));
  if (row === undefined) throw notFound(`${field}: there is no ${id}`);
  return row;
}

export async function loadKnownKeys(
  tx: Tx,
  source: number,
  keys: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await loadInBatches([...keys], (slice) =>
    tx
      .select({ key: passages.key })
      .from(passages)
      .where(and(eq(passages.sourceId, source), inArray(passages.key, slice))),
  );
  return new Set(rows.map(({ key }) => key));
}

export async function loadLastSegment(tx: Tx, source: number): Promise<SegmentState> {
  const [last] = await tx
    .select({ segment: passages.segment, lastAt: passages.occurredAt })
    .from(passages)
    .where(eq(passages.sourceId, source))
    .orderBy(desc(passages.segment), desc(passages.id))
    .limit(1);
  if (last === undefined) return { segment: 0, size: 0, lastAt: undefined };
  const [counted] = await tx
    .select({ size: count() })
    .from(passages)
    .where(and(eq(passages.sourceId, source), eq(passages.segment, last.segment)));
  return { ...last, size: counted?.size ?? 0 };
}

const ACTIVE_PASSAGE_OF_SOURCE = sql`passages.source_id = sources.id and passages.deleted_at is null`;

export async function loadSources(
  tx: Tx,
  { filter, page }: { readonly filter: SourceFilter; readonly page?: Page | undefined },
): Promise<SourceRecord[]> {
  const after = page?.after;
  const listed = tx
    .select(SOURCE_FIELDS)
    .from(sources)
    .where(
      and(
        isListed(filter),
        after === undefined
          ? undefined
          : sql`(${sources.updatedAt}, ${sources.id}) < (${after[0]}, ${after[1]})`,
      ),
    )
    .orderBy(sql`${sources.updatedAt} desc`, sql`${sources.id} desc`);
  const rows = await (page === undefined ? listed : listed.limit(page.limit).offset(page.offset));
  return rows.map(toSourceRecord);
}

export interface SourceFilter {
  readonly kind?: string | undefined;
  readonly key?: string | undefined;
  readonly passes?: SQL | undefined;
}

function isListed({ kind, key, passes }: SourceFilter): SQL | undefined {
  return and(
    isNull(sources.deletedAt),
    kind === undefined ? undefined : eq(sources.kind, kind),
    key === undefined ? undefined : eq(sources.key, key),
    passes,
  );
}

export async function countSources(tx: Tx, filter: SourceFilter): Promise<number> {
  const [row] = await tx
    .select({ total: sql<number>`count(*)` })
    .from(sources)
    .where(isListed(filter));
  return Number(row?.total ?? 0);
}

export async function loadSource(tx: Tx, number: number): Promise<SourceRecord> {
  const [row] = await tx.select(SOURCE_FIELDS).from(sources).where(eq(sources.id, number));
  if (row === undefined) throw notFound(`there is no ${sourceId(number)}`);
  return toSourceRecord(row);
}

const SOURCE_FIELDS = {
  row: sources,
  passages: sql<number>`(select count(*) from passages where ${ACTIVE_PASSAGE_OF_SOURCE})`,
  size: sql<number>`(select coalesce(sum(length(content)), 0) from passages where ${ACTIVE_PASSAGE_OF_SOURCE})`,
  firstAt: sql<
    string | null
  >`(select min(occurred_at) from passages where ${ACTIVE_PASSAGE_OF_SOURCE})`,
  lastAt: sql<
    string | null
  >`(select max(occurred_at) from passages where ${ACTIVE_PASSAGE_OF_SOURCE})`,
  learnedThrough: LEARNED_THROUGH,
  unlearned: sql<number>`(select count(*) from passages
    where ${ACTIVE_PASSAGE_OF_SOURCE} and passages.id > coalesce(${LEARNED_THROUGH}, 0))`,
} as const;

interface CountedSource {
  readonly row: SourceRow;
  readonly passages: number;
  readonly size: number;
  readonly firstAt: string | null;
  readonly lastAt: string | null;
  readonly learnedThrough: number | null;
  readonly unlearned: number;
}

function toSourceRecord({
  row,
  passages: count,
  size,
  firstAt,
  lastAt,
  learnedThrough,
  unlearned,
}: CountedSource): SourceRecord {
  return {
    id: sourceId(row.id),
    kind: row.kind,
    key: row.key,
    title: row.title,
    place: row.place,
    mark: row.mark,
    learned_through: learnedThrough === null ? null : passageId(Number(learnedThrough)),
    unlearned: Number(unlearned),
    passages: Number(count),
    size: Number(size),
    first_at: firstAt,
    last_at: lastAt,
    created_at: row.createdAt,
    updated_at: row.updatedAt,
    deleted_at: row.deletedAt,
  };
}

export async function loadPassagesOfSource(
  tx: Tx,
  source: number,
  page: { readonly limit: number; readonly offset: number },
): Promise<PassageRecord[]> {
  const rows = await tx
    .select({ id: passages.id })
    .from(passages)
    .where(and(eq(passages.sourceId, source), isNull(passages.deletedAt)))
    .orderBy(asc(passages.id))
    .limit(page.limit)
    .offset(page.offset);
  return loadPassages(
    tx,
    rows.map(({ id }) => id),
  );
}

export async function loadPassages(tx: Tx, numbers: readonly number[]): Promise<PassageRecord[]> {
  if (numbers.length === 0) return [];
  const rows = await passageRows(tx).execute({ numbers: listOfValues(numbers) });
  const byNumber = new Map(rows.map((row) => [row.passage.id, row]));
  return numbers.flatMap((number) => {
    const row = byNumber.get(number);
    return row === undefined ? [] : [toPassageRecord(row)];
  });
}

const passageRows = preparedQuery((tx) =>
  tx
    .select({
      passage: passages,
      kind: sources.kind,
      reverted: sql<number | null>`(select earlier.id from passages earlier
        where earlier.source_id = passages.source_id and earlier.key = passages.reverts)`,
    })
    .from(passages)
    .innerJoin(sources, eq(sources.id, passages.sourceId))
    .where(sql`${passages.id} in (${numbersParameter("numbers")})`)
    .prepare(),
);

interface JoinedPassage {
  readonly passage: PassageRow;
  readonly kind: string;
  readonly reverted: number | null;
}

function toPassageRecord({ passage, kind, reverted }: JoinedPassage): PassageRecord {
  return {
    id: passageId(passage.id),
    source_id: sourceId(passage.sourceId),
    key: passage.key,
    kind,
    role: passage.role,
    by: passage.assertedBy,
    text: passage.content,
    files: [...passage.files],
    branch: passage.branch,
    reverts: reverted === null ? null : passageId(reverted),
    occurred_at: passage.occurredAt,
    created_at: passage.createdAt,
    deleted_at: passage.deletedAt,
  };
}
