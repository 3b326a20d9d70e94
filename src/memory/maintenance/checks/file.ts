import { sql } from "drizzle-orm";
import {
  brokenReferences,
  integrityFaults,
  rebuildIndexes,
  type Tx,
} from "../../../database/index.ts";
import { INDEXED_KINDS } from "../../context/indexed-kind.ts";
import { createProblem } from "../../context/problem.ts";
import type { Check } from "../check.ts";

export const file: Check = {
  name: "file",
  about: "the database file and its indexes are intact",
  isDerived: false,
  async find(tx) {
    let faults = await integrityFaults(tx);
    if (faults.fileFaults.some((fault) => fault.startsWith("fts5:"))) {
      await rereadTextIndexes(tx);
      faults = await integrityFaults(tx);
    }
    return [
      ...createProblem(
        "The file is damaged. Rescue what is readable: `cairn export`, then `cairn import` into a new database.",
        faults.fileFaults,
        false,
      ),
      ...createProblem("Indexes of tables do not match their rows.", faults.indexFaults),
    ];
  },
  async fix(tx) {
    await rebuildIndexes(tx, (await integrityFaults(tx)).indexes);
  },
};

/**
 * FTS5 checks its index against cached state, which is outdated once another connection merged
 * segments; a search refreshes it.
 */
async function rereadTextIndexes(tx: Tx): Promise<void> {
  for (const kind of INDEXED_KINDS) {
    const table = sql.identifier(`${kind}_text`);
    try {
      await tx.all(sql`select rowid from ${table} where ${table} match 'a' limit 1`);
    } catch (error) {
      if (error instanceof TypeError) throw error;
    }
  }
}

export const references: Check = {
  name: "references",
  about: "every reference points to an existing row",
  async find(tx) {
    const rows = await brokenReferences(tx);
    return createProblem(
      "Rows refer to missing rows.",
      rows.map(({ table, row, parent }) => `${table} row ${row ?? "?"} to ${parent}`),
    );
  },
};
