import { sql } from "drizzle-orm";
import { type Check, problemOf } from "../check.ts";

export const file: Check = {
  name: "file",
  about: "the SQLite file and its indexes are whole",
  async find(tx) {
    const rows = await tx.all<{ integrity_check: string }>(sql`pragma integrity_check(20)`);
    const faults = rows.map((row) => row.integrity_check).filter((text) => text !== "ok");
    return problemOf(
      "The file is damaged. Rescue what is readable: `cairn export`, then `cairn import` into a new database.",
      faults,
    );
  },
};

export const references: Check = {
  name: "references",
  about: "every row refers to rows that are there",
  async find(tx) {
    const rows = await tx.all<{ table: string; rowid: number | null; parent: string }>(
      sql`pragma foreign_key_check`,
    );
    return problemOf(
      "Rows refer to rows that are not there.",
      rows.map(({ table, rowid, parent }) => `${table} row ${rowid ?? "?"} to ${parent}`),
    );
  },
};
