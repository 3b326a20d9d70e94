import { and, asc, eq, sql } from "drizzle-orm";
import {
  insertRows,
  listOfValues,
  numbersParameter,
  preparedQuery,
  type Tx,
} from "../../database/index.ts";
import { groupBy } from "../../shared/collections.ts";
import { notFound } from "../../shared/errors.ts";
import type { CursorPosition } from "../context/page-cursor.ts";
import { addTotals, loadTotals } from "../totals.ts";
import type { LabelCount, LabelRecord } from "./label.schema.ts";
import { conceptLabels, episodeLabels } from "./label.table.ts";

export interface LabelSubject {
  readonly type: "episode" | "concept";
  readonly number: number;
}

export function addLabels(
  tx: Tx,
  subject: LabelSubject,
  labels: readonly LabelRecord[],
): Promise<void> {
  const { number, type } = subject;
  return type === "episode"
    ? addEpisodeLabels(tx, [{ episode: number, labels }])
    : insertConceptLabels(
        tx,
        labels.map(({ key, value }) => ({ conceptId: number, key, value })),
      );
}

export function addEpisodeLabels(
  tx: Tx,
  labelled: readonly { episode: number; labels: readonly LabelRecord[] }[],
): Promise<void> {
  const rows = labelled.flatMap(({ episode, labels }) =>
    labels.map(({ key, value }) => ({ episodeId: episode, key, value })),
  );
  return insertEpisodeLabels(tx, rows);
}

const insertEpisodeLabels = insertRows(episodeLabels, { onConflict: "ignore" });
const insertConceptLabels = insertRows(conceptLabels, { onConflict: "ignore" });

/** Removes one label, or every label with the key. Throws not_found if there is none. */
export async function removeLabel(
  tx: Tx,
  subject: LabelSubject,
  label: { key: string; value: string | undefined },
): Promise<void> {
  const { table, owner } = chooseTable(subject);
  const removed = await tx
    .delete(table)
    .where(
      and(
        owner,
        eq(table.key, label.key),
        label.value === undefined ? undefined : eq(table.value, label.value),
      ),
    )
    .returning({ key: table.key });
  if (removed.length > 0) return;
  const labelText = label.value === undefined ? label.key : `${label.key}=${label.value}`;
  throw notFound(`key: the ${subject.type} has no label "${labelText}"`);
}

export async function replaceLabels(
  tx: Tx,
  subject: LabelSubject,
  labels: readonly LabelRecord[],
): Promise<void> {
  const { table, owner } = chooseTable(subject);
  await tx.delete(table).where(owner);
  await addLabels(tx, subject, labels);
}

function chooseTable(subject: LabelSubject) {
  return subject.type === "episode"
    ? { table: episodeLabels, owner: eq(episodeLabels.episodeId, subject.number) }
    : { table: conceptLabels, owner: eq(conceptLabels.conceptId, subject.number) };
}

export async function loadLabelsOfEpisodes(
  tx: Tx,
  numbers: readonly number[],
): Promise<Map<number, LabelRecord[]>> {
  if (numbers.length === 0) return new Map();
  const rows = await episodeLabelRows(tx).execute({ numbers: listOfValues(numbers) });
  return groupLabels(rows, (row) => row.episodeId);
}

const episodeLabelRows = preparedQuery((tx) =>
  tx
    .select()
    .from(episodeLabels)
    .where(sql`${episodeLabels.episodeId} in (${numbersParameter("numbers")})`)
    .orderBy(asc(episodeLabels.key), asc(episodeLabels.value))
    .prepare(),
);

export async function loadLabelsOfConcepts(
  tx: Tx,
  numbers: readonly number[],
): Promise<Map<number, LabelRecord[]>> {
  if (numbers.length === 0) return new Map();
  const rows = await conceptLabelRows(tx).execute({ numbers: listOfValues(numbers) });
  return groupLabels(rows, (row) => row.conceptId);
}

const conceptLabelRows = preparedQuery((tx) =>
  tx
    .select()
    .from(conceptLabels)
    .where(sql`${conceptLabels.conceptId} in (${numbersParameter("numbers")})`)
    .orderBy(asc(conceptLabels.key), asc(conceptLabels.value))
    .prepare(),
);

function groupLabels<Row extends LabelRecord>(
  rows: readonly Row[],
  getKey: (row: Row) => number,
): Map<number, LabelRecord[]> {
  const groups = groupBy(rows, getKey);
  return new Map(
    Array.from(groups, ([number, group]) => [
      number,
      group.map(({ key, value }) => ({ key, value })),
    ]),
  );
}

/** Counts active items by distinct label, most used first, then by key and value. */
export async function countLabels(
  tx: Tx,
  subjectType?: LabelSubject["type"],
): Promise<LabelCount[]> {
  const subjects = subjectType === undefined ? (["episode", "concept"] as const) : [subjectType];
  const totals = await loadTotals(tx, { kinds: subjects.map((type) => `${type}_labels`) });
  const byLabel = groupBy(totals, ({ name, part }) => JSON.stringify([name, part]));
  return Array.from(byLabel.values(), (group) => ({
    key: group[0]?.name ?? "",
    value: group[0]?.part ?? "",
    count: addTotals(group),
  })).sort(compareByUse);
}

export function isAfterCursor(label: LabelCount, [count, key, value]: CursorPosition): boolean {
  return compareByUse(label, { count: Number(count), key: String(key), value: String(value) }) > 0;
}

function compareByUse(a: LabelCount, b: LabelCount): number {
  return b.count - a.count || compareLabels(a.key, b.key) || compareLabels(a.value, b.value);
}

function compareLabels(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

export async function loadLabels(tx: Tx, subject: LabelSubject): Promise<LabelRecord[]> {
  const load = subject.type === "episode" ? loadLabelsOfEpisodes : loadLabelsOfConcepts;
  return (await load(tx, [subject.number])).get(subject.number) ?? [];
}
