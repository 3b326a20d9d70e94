import { sql } from "drizzle-orm";
import type { Tx } from "../../database/index.ts";
import type { IndexedKind } from "./search.table.ts";
import type { SearchableText } from "./searchable-text.ts";

/** Name of the full-text table of a kind. SQLite only, as everything in this file. */
export const textTable = (kind: IndexedKind) => sql.identifier(`${kind}_text`);

export async function putText(
  tx: Tx,
  item: { kind: IndexedKind; number: number },
  text: SearchableText,
): Promise<void> {
  await tx.run(
    sql`insert or replace into ${textTable(item.kind)}(rowid, content, context) values (${item.number}, ${text.content}, ${text.context})`,
  );
}

export async function removeText(
  tx: Tx,
  item: { kind: IndexedKind; number: number },
): Promise<void> {
  await tx.run(sql`delete from ${textTable(item.kind)} where rowid = ${item.number}`);
}
