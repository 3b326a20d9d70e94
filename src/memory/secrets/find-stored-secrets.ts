import { and, asc, gt, inArray, isNotNull, like, or } from "drizzle-orm";
import type { Tx } from "../../database/index.ts";
import { concepts } from "../concepts/concept.table.ts";
import { episodes } from "../episodes/episode.table.ts";
import { rowChanges } from "../history/change.table.ts";
import { imageOf, type RowKey } from "../history/describe-rows.ts";
import { LOGGED_BY_NAME, LOGGED_TABLES, type LoggedTable } from "../history/logged-tables.ts";
import { PublicIds } from "../history/public-ids.ts";
import { episodeId } from "../input/item-ids.ts";
import { findSecrets } from "./find-secrets.ts";

/** A secret that is stored already. Its text is not repeated. */
export interface StoredSecret {
  /** Id of the episode or concept, for `purge`. */
  readonly id: string;
  /** As the record names it; `former content` where it was taken out by a later change. */
  readonly field: string;
  readonly kind: string;
}

/** What is looked through for one item. */
interface Texts {
  readonly id: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

const ROWS_AT_ONCE = 500;

/**
 * Keys and tokens in what episodes and concepts say and are labelled with, deleted ones included,
 * and in what they said before: an edit takes a secret out of the text, not out of its history.
 */
export async function findStoredSecrets(tx: Tx, signal?: AbortSignal): Promise<StoredSecret[]> {
  const found = new Map<string, StoredSecret>();
  for (const read of [readEpisodes, readConcepts, readFormerTexts]) {
    for await (const { id, fields } of read(tx)) {
      signal?.throwIfAborted();
      for (const [field, value] of Object.entries(fields)) {
        if (value === null || typeof value === "number") continue;
        const text = typeof value === "string" ? value : JSON.stringify(value);
        for (const { kind } of await findSecrets(text)) {
          found.set(`${id} ${field} ${kind}`, { id, field, kind });
        }
      }
    }
  }
  return [...found.values()];
}

async function* readEpisodes(tx: Tx): AsyncGenerator<Texts> {
  const pages = inPages((last) =>
    tx
      .select()
      .from(episodes)
      .where(gt(episodes.id, last))
      .orderBy(asc(episodes.id))
      .limit(ROWS_AT_ONCE),
  );
  for await (const { id, content, metadata, sourceRef: source_ref } of pages) {
    yield { id: episodeId(id), fields: { content, metadata, source_ref } };
  }
}

async function* readConcepts(tx: Tx): AsyncGenerator<Texts> {
  const pages = inPages((last) =>
    tx
      .select()
      .from(concepts)
      .where(gt(concepts.id, last))
      .orderBy(asc(concepts.id))
      .limit(ROWS_AT_ONCE),
  );
  for await (const { publicId, title, summary, tags } of pages) {
    yield { id: publicId, fields: { title, summary, tags } };
  }
}

/** Of labels the key says what they are, in force or not. */
async function* readFormerTexts(tx: Tx): AsyncGenerator<Texts> {
  const tables = LOGGED_TABLES.filter(({ owner }) => owner === "episode" || owner === "concept");
  const pages = inPages(async (last) => {
    const rows = await tx
      .select({
        id: rowChanges.seq,
        table: rowChanges.tableName,
        key: rowChanges.rowKey,
        before: rowChanges.before,
      })
      .from(rowChanges)
      .where(
        and(
          gt(rowChanges.seq, last),
          inArray(
            rowChanges.tableName,
            tables.map(({ name }) => name),
          ),
          or(isNotNull(rowChanges.before), like(rowChanges.tableName, "%labels")),
        ),
      )
      .orderBy(asc(rowChanges.seq))
      .limit(ROWS_AT_ONCE);
    return rows;
  });
  for await (const { table: name, key: rowKey, before } of pages) {
    const table = LOGGED_BY_NAME.get(name);
    if (table === undefined) continue;
    const key = JSON.parse(rowKey) as RowKey;
    yield { id: await ownerOf(tx, table, key), fields: formerFields(table, key, imageOf(before)) };
  }
}

function formerFields(
  { field }: LoggedTable,
  key: RowKey,
  before: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  if (field === "labels") return { labels: key.slice(1).join("=") };
  return Object.fromEntries(
    Object.entries(before).map(([name, value]) => [`former ${name}`, value]),
  );
}

async function ownerOf(tx: Tx, { owner }: LoggedTable, [number = 0]: RowKey): Promise<string> {
  const ids = new PublicIds(tx);
  const table = `${owner}s`;
  await ids.load([{ table, key: number }]);
  return ids.of(table, number);
}

/** All rows of a table, a few at a time, by their numbers. */
async function* inPages<Row extends { readonly id: number }>(
  load: (last: number) => Promise<Row[]>,
): AsyncGenerator<Row> {
  for (let last = 0; ; ) {
    const rows = await load(last);
    yield* rows;
    if (rows.length < ROWS_AT_ONCE) return;
    last = rows.at(-1)?.id ?? last;
  }
}
