import { and, desc, eq, inArray, isNull, ne, type SQL } from "drizzle-orm";
import { insertNumberedRows, type Tx } from "../../database/index.ts";
import { loadInBatches } from "../../shared/async.ts";
import type { WriteContext } from "../context/write-context.ts";
import { checkTextSize } from "../input/check-text-size.ts";
import { sourceId } from "../input/item-ids.ts";
import { assignSegments } from "./segments.ts";
import {
  findSourceByKey,
  loadKnownKeys,
  loadLastSegment,
  type SourceRow,
} from "./source.queries.ts";
import { type PassageRole, passages, sources } from "./source.table.ts";

export interface NewPassage {
  readonly key: string;
  readonly role: PassageRole;
  readonly by: string;
  readonly text: string;
  readonly files: readonly string[];
  readonly branch?: string | undefined;
  readonly reverts?: string | undefined;
  readonly occurred_at: string;
}

export interface SourceReading {
  readonly kind: string;
  readonly key: string;
  readonly title?: string | undefined;
  readonly place?: string | undefined;
  readonly mark?: string | undefined;
  readonly passages: readonly NewPassage[];
  readonly gone?: readonly string[] | undefined;
  /** True if the list is complete, so that other passages are deleted. */
  readonly complete?: boolean | undefined;
}

export interface AppendedPassages {
  readonly source: SourceRow | undefined;
  readonly isNew: boolean;
  readonly added: number;
  readonly gone: number;
}

/** Adds new passages with at most one event per batch. A forgotten source remains forgotten. */
export async function appendPassages(
  context: WriteContext,
  reading: SourceReading,
): Promise<AppendedPassages> {
  const { tx } = context;
  const known = await findSourceByKey(tx, reading);
  if (known !== undefined && known.deletedAt !== null) {
    return { source: known, isNew: false, added: 0, gone: 0 };
  }
  const values = await removeCopies(tx, known, reading);
  const news = await newPassages(tx, known, values);
  const { back, gone } = await deleteOtherPassages(context, known, reading);
  if (news.length + back + gone === 0) return { source: known, isNew: false, added: 0, gone: 0 };
  const source = known ?? (await addSource(context, reading));
  const numbers = await addPassages(context, source, news);
  if (known !== undefined) await updateMark(context, source, reading);
  await context.emit({
    kind: "source_read",
    subjectType: "source",
    subjectId: sourceId(source.id),
    payload: { kind: source.kind, passages: numbers.length + back, ...(gone > 0 && { gone }) },
  });
  return { source, isNew: known === undefined, added: numbers.length + back, gone };
}

const MIN_UNIQUE_KEY = 20;
/** Newest sources of a kind that are searched for copied passages. */
const MAX_COMPARED_SOURCES = 200;

/**
 * Removes passages that another source of this kind contains. Forked conversations copy messages
 * with their ids, or begin with the same turns under other ids. Only new or fully reread sources
 * are compared.
 */
async function removeCopies(
  tx: Tx,
  known: SourceRow | undefined,
  { kind, passages: values }: SourceReading,
): Promise<readonly NewPassage[]> {
  if (known !== undefined) {
    const keys = values.map(({ key }) => key);
    const own = await loadKnownKeys(tx, known.id, keys);
    const isReadAgain = own.size > 0 && !own.has(keys[0] ?? "");
    if (!isReadAgain) return values;
  }
  const others = await tx
    .select({ id: sources.id })
    .from(sources)
    .where(and(eq(sources.kind, kind), isNull(sources.deletedAt), ne(sources.id, known?.id ?? 0)))
    .orderBy(desc(sources.id))
    .limit(MAX_COMPARED_SOURCES);
  const numbers = others.map(({ id }) => id);
  const news = await removeKnownKeys(tx, numbers, values);
  return news.length < values.length ? news : removeSameBeginning(tx, numbers, values);
}

async function removeSameBeginning(
  tx: Tx,
  others: readonly number[],
  values: readonly NewPassage[],
): Promise<readonly NewPassage[]> {
  const [first] = values;
  if (first === undefined || first.role !== "turn") return values;
  const { sourceId: source, segment, content, id } = passages;
  const origins = await tx
    .selectDistinct({ source })
    .from(passages)
    .where(and(inArray(source, [...others]), eq(segment, 1), eq(content, first.text)));
  let common = 0;
  for (const origin of origins) {
    const rows = await tx
      .select({ role: passages.role, by: passages.assertedBy, text: content })
      .from(passages)
      .where(eq(source, origin.source))
      .orderBy(id)
      .limit(values.length);
    const differs = values.findIndex(({ role, by, text }, index) => {
      const row = rows[index];
      return row?.role !== role || row.by !== by || row.text !== text;
    });
    common = Math.max(common, differs === -1 ? values.length : differs);
  }
  // Prompts may be repeated by chance, answers are not.
  const isFork = values.slice(0, common).some(({ by }) => by === "assistant");
  return isFork ? values.slice(common) : values;
}

async function removeKnownKeys(
  tx: Tx,
  others: readonly number[],
  values: readonly NewPassage[],
): Promise<readonly NewPassage[]> {
  const first = values.find(({ key }) => key.length >= MIN_UNIQUE_KEY);
  if (first === undefined) return values;
  const origins = await tx
    .select({ id: passages.sourceId })
    .from(passages)
    .where(and(inArray(passages.sourceId, [...others]), eq(passages.key, first.key)));
  const known = new Set<string>();
  for (const { id } of origins) {
    const keys = values.map(({ key }) => key);
    for (const key of await loadKnownKeys(tx, id, keys)) known.add(key);
  }
  return values.filter(({ key }) => key.length < MIN_UNIQUE_KEY || !known.has(key));
}

async function newPassages(
  tx: Tx,
  known: SourceRow | undefined,
  values: readonly NewPassage[],
): Promise<NewPassage[]> {
  const keys = values.map(({ key }) => key);
  const seen = new Set(known === undefined ? [] : await loadKnownKeys(tx, known.id, keys));
  return values.filter(({ key }) => {
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

async function addSource(
  { tx, now }: WriteContext,
  { kind, key, title, place, mark }: SourceReading,
): Promise<SourceRow> {
  const [number] = await insertSources(tx, [
    {
      kind,
      key,
      title: title ?? key,
      place: place ?? null,
      mark: mark ?? null,
      createdAt: now,
      updatedAt: now,
    },
  ]);
  const [row] = await tx
    .select()
    .from(sources)
    .where(eq(sources.id, number ?? 0));
  if (row === undefined) throw new Error("The source was not stored.");
  return row;
}

async function addPassages(
  context: WriteContext,
  source: SourceRow,
  news: readonly NewPassage[],
): Promise<readonly number[]> {
  const { tx, now, limits } = context;
  const segments = assignSegments(news, await loadLastSegment(tx, source.id));
  const rows = news.map((passage, index) => {
    checkTextSize(limits, "passages", passage.text);
    return {
      sourceId: source.id,
      segment: segments[index] ?? 1,
      key: passage.key,
      role: passage.role,
      assertedBy: passage.by,
      content: passage.text,
      files: passage.files,
      branch: passage.branch ?? null,
      reverts: passage.reverts ?? null,
      occurredAt: passage.occurred_at,
      createdAt: now,
    };
  });
  const numbers = await insertPassages(tx, rows);
  for (const [index, number] of numbers.entries()) {
    const row = rows[index];
    if (row !== undefined) context.touchNew({ kind: "passage", number, words: row });
  }
  return numbers;
}

async function updateMark(
  { tx, now }: WriteContext,
  source: SourceRow,
  { title, place, mark }: SourceReading,
): Promise<void> {
  const changed = {
    title: title ?? source.title,
    place: place ?? source.place,
    mark: mark ?? source.mark,
    updatedAt: now,
  };
  await tx.update(sources).set(changed).where(eq(sources.id, source.id));
}

const insertSources = insertNumberedRows(sources, sources.id);
const insertPassages = insertNumberedRows(passages, passages.id);

interface ReadProgress {
  readonly passages: readonly { readonly key: string }[];
  readonly gone?: readonly string[] | undefined;
  readonly complete?: boolean | undefined;
}

async function deleteOtherPassages(
  context: WriteContext,
  known: SourceRow | undefined,
  { passages: values, gone: lost, complete }: ReadProgress,
): Promise<{ readonly back: number; readonly gone: number }> {
  if (known === undefined || (complete !== true && lost === undefined)) return { back: 0, gone: 0 };
  const keys = new Set(values.map(({ key }) => key));
  const left = new Set(lost);
  const isMissing = (key: string) => !keys.has(key) && (complete === true || left.has(key));
  const rows =
    complete === true
      ? await selectRows(context.tx, eq(passages.sourceId, known.id))
      : await loadInBatches([...keys, ...left], (slice) =>
          selectRows(
            context.tx,
            and(eq(passages.sourceId, known.id), inArray(passages.key, [...slice])),
          ),
        );
  const removed = rows.filter(({ key, deletedAt }) => deletedAt === null && isMissing(key));
  const back = rows.filter(({ key, deletedAt }) => deletedAt !== null && keys.has(key));
  await setDeletedAt(context, { rows: removed, deletedAt: context.now });
  await setDeletedAt(context, { rows: back, deletedAt: null });
  return { back: back.length, gone: removed.length };
}

function selectRows(tx: Tx, where: SQL | undefined) {
  return tx
    .select({ id: passages.id, key: passages.key, deletedAt: passages.deletedAt })
    .from(passages)
    .where(where);
}

interface MarkedSource {
  readonly rows: readonly { readonly id: number }[];
  readonly deletedAt: string | null;
}

async function setDeletedAt({ tx, touch }: WriteContext, { rows, deletedAt }: MarkedSource) {
  const numbers = rows.map(({ id }) => id);
  await loadInBatches(numbers, async (slice) => {
    await tx.update(passages).set({ deletedAt }).where(inArray(passages.id, slice));
    return [];
  });
  for (const number of numbers) touch("passage", number);
}
