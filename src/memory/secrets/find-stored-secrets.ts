import { and, asc, gt, inArray, isNotNull, like, or } from "drizzle-orm";
import type { Tx } from "../../database/index.ts";
import { rowChanges } from "../events/change.table.ts";
import { events } from "../events/event.table.ts";
import { parseImage, type RowKey } from "../history/describe-rows.ts";
import {
  itemTable,
  LOGGED_BY_NAME,
  LOGGED_TABLES,
  type LoggedColumn,
  type LoggedTable,
} from "../history/logged-tables.ts";
import { PublicIds } from "../history/public-ids.ts";
import { textColumns } from "../purge/text-columns.ts";
import { applyMasks, findSecrets } from "./find-secrets.ts";

export interface StoredSecret {
  readonly id: string;
  /** Field name of the record; `former content` for text from the history. */
  readonly field: string;
  readonly kind: string;
}

interface Texts {
  readonly id: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

const ROWS_PER_BATCH = 500;

/**
 * Finds credentials in all stored texts, including deleted items, former values (an edit removes a
 * secret from the text, not from its history) and event payloads.
 */
export async function findStoredSecrets(tx: Tx, signal?: AbortSignal): Promise<StoredSecret[]> {
  const found = new Map<string, StoredSecret>();
  const add = async (owner: string, field: string, text: string) => {
    for (const { kind } of await findSecrets(text)) {
      // An entity's name is its id.
      const id = applyMasks(owner, await findSecrets(owner));
      found.set(`${id} ${field} ${kind}`, { id, field, kind });
    }
  };
  const ids = new PublicIds(tx);
  const sources = [...LOGGED_TABLES.map((table) => readRows(tx, table, ids))];
  for (const source of [...sources, readFormerTexts(tx), readPayloads(tx)]) {
    for await (const { id, fields } of source) {
      signal?.throwIfAborted();
      for (const [field, value] of Object.entries(fields)) {
        if (value === null || value === undefined || typeof value === "number") continue;
        await add(id, field, typeof value === "string" ? value : JSON.stringify(value));
      }
    }
  }
  return [...found.values()];
}

async function* readRows(tx: Tx, table: LoggedTable, ids: PublicIds): AsyncGenerator<Texts> {
  const [owner] = table.key;
  const texts = textColumns(table).filter(({ name }) => !name.endsWith("_hash"));
  const columns = [...texts, ...table.key.filter(isTextKey)];
  if (owner === undefined || columns.length === 0) return;
  for (let last: unknown; ; ) {
    const keys = await tx
      .selectDistinct({ key: owner.column })
      .from(table.table)
      .where(last === undefined ? undefined : gt(owner.column, last))
      .orderBy(asc(owner.column))
      .limit(ROWS_PER_BATCH);
    const numbers = keys.map(({ key }) => key as string | number);
    const rows = await tx.select().from(table.table).where(inArray(owner.column, numbers));
    const target = itemTable(table.owner).name;
    const getKey = (row: Record<string, unknown>) => row[owner.property] as string | number;
    await ids.load(numbers.map((key) => ({ table: target, key })));
    for (const row of rows as Record<string, unknown>[]) {
      const id = ids.of(target, getKey(row));
      const { key, value } = row;
      if (typeof key === "string" && typeof value === "string") {
        yield { id, fields: { [table.field ?? "labels"]: `${key}=${value}` } };
      }
      for (const { name, property } of columns) {
        yield { id, fields: { [fieldName(table, name)]: row[property] } };
      }
    }
    if (keys.length < ROWS_PER_BATCH) return;
    last = numbers.at(-1);
  }
}

const isTextKey = ({ target, column }: LoggedColumn): boolean =>
  target === undefined && column.dataType === "string";

const fieldName = ({ field }: LoggedTable, column: string): string => field ?? column;

async function* readPayloads(tx: Tx): AsyncGenerator<Texts> {
  const pages = readInPages((last) =>
    tx
      .select({ id: events.seq, subject: events.subjectId, payload: events.payload })
      .from(events)
      .where(and(gt(events.seq, last), isNotNull(events.payload)))
      .orderBy(asc(events.seq))
      .limit(ROWS_PER_BATCH),
  );
  for await (const { id, subject, payload } of pages) {
    yield { id: subject, fields: { [`event:${id}`]: payload } };
  }
}

async function* readFormerTexts(tx: Tx): AsyncGenerator<Texts> {
  const pages = readInPages(async (last) => {
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
          or(isNotNull(rowChanges.before), like(rowChanges.tableName, "%labels")),
        ),
      )
      .orderBy(asc(rowChanges.seq))
      .limit(ROWS_PER_BATCH);
    return rows;
  });
  for await (const { table: name, key: rowKey, before } of pages) {
    const table = LOGGED_BY_NAME.get(name);
    if (table === undefined) continue;
    const key = JSON.parse(rowKey) as RowKey;
    yield {
      id: await resolveOwner(tx, table, key),
      fields: listFormerFields(table, key, parseImage(before)),
    };
  }
}

function listFormerFields(
  { field }: LoggedTable,
  key: RowKey,
  before: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  if (field === "labels") return { labels: key.slice(1).join("=") };
  return Object.fromEntries(
    Object.entries(before).map(([name, value]) => [`former ${name}`, value]),
  );
}

async function resolveOwner(tx: Tx, { owner }: LoggedTable, [number = 0]: RowKey): Promise<string> {
  const ids = new PublicIds(tx);
  const table = itemTable(owner).name;
  await ids.load([{ table, key: number }]);
  return ids.of(table, number);
}

async function* readInPages<Row extends { readonly id: number }>(
  load: (last: number) => Promise<Row[]>,
): AsyncGenerator<Row> {
  for (let last = 0; ; ) {
    const rows = await load(last);
    yield* rows;
    if (rows.length < ROWS_PER_BATCH) return;
    last = rows.at(-1)?.id ?? last;
  }
}
