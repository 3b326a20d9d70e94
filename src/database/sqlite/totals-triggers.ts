import { sql } from "drizzle-orm";
import {
  addLabel,
  addRow,
  addRowIf,
  addRowsOfOwner,
  isLabel,
  isLabelElsewhere,
  OWNER_COMES_OR_GOES,
  removeEmptyOfOwner,
  removeIfEmpty,
} from "../totals/add-to-totals.ts";
import { COUNTED_ROWS, type CountedRows, countsIf } from "../totals/counted-rows.ts";
import { MAKE_TOTALS_ANEW } from "../totals/make-totals-anew.ts";
import type { Tx } from "../tx.ts";
import type { Connection } from "./open-connection.ts";

/**
 * Installs triggers that keep `totals` right whatever writes to the database. Runs after each migration and
 * counts the existing rows.
 */
export function installTotals(connection: Connection): void {
  const known = connection.prepare(NAMES).all() as { name: string }[];
  for (const { name } of known) connection.exec(`DROP TRIGGER "${name}"`);
  for (const statement of MAKE_TOTALS_ANEW) connection.exec(statement);
  for (const counted of COUNTED_ROWS) {
    for (const statement of triggersOf(counted)) connection.exec(statement);
  }
  for (const statement of TRIGGERS_OF_TOTALS) connection.exec(statement);
}

const NAMES = "SELECT name FROM sqlite_master WHERE type = 'trigger' AND name GLOB 'totals_*'";

export async function totalsTriggerNames(tx: Tx): Promise<string[]> {
  const rows = await tx.all<{ name: string }>(sql.raw(NAMES));
  return rows.map(({ name }) => name);
}

function triggersOf(counted: CountedRows): string[] {
  const { kind, table, columns, owners } = counted;
  const name = `totals_${kind}`;
  const differs = columns.map((column) => `old."${column}" IS NOT new."${column}"`).join(" OR ");
  const listed = columns.map((column) => `"${column}"`).join(", ");
  return [
    trigger(
      `${name}_insert`,
      `AFTER INSERT ON ${table} WHEN ${countsIf(counted, "new")}`,
      addRow(counted, "new", 1),
    ),
    trigger(
      `${name}_delete`,
      `AFTER DELETE ON ${table} WHEN ${countsIf(counted, "old")}`,
      addRow(counted, "old", -1),
      removeIfEmpty(counted, "old"),
    ),
    ...(columns.length === 0
      ? []
      : [
          trigger(
            `${name}_update`,
            `AFTER UPDATE OF ${listed} ON ${table} WHEN ${differs}`,
            addRowIf(counted, "old", -1),
            addRowIf(counted, "new", 1),
            removeIfEmpty(counted, "old"),
          ),
        ]),
    ...owners.map((owner, place) =>
      trigger(
        `${name}_owner_${place}`,
        `AFTER UPDATE OF deleted_at ON ${owner.table} WHEN ${OWNER_COMES_OR_GOES}`,
        addRowsOfOwner(counted, owner),
        removeEmptyOfOwner(counted, owner),
      ),
    ),
  ];
}

const TRIGGERS_OF_TOTALS = [
  trigger(
    "totals_label_comes",
    `AFTER INSERT ON totals WHEN ${isLabel("new")} AND NOT ${isLabelElsewhere("new")}`,
    addLabel(1),
  ),
  trigger(
    "totals_label_goes",
    `AFTER DELETE ON totals WHEN ${isLabel("old")} AND NOT ${isLabelElsewhere("old")}`,
    addLabel(-1),
  ),
];

function trigger(name: string, when: string, ...body: readonly string[]): string {
  return `CREATE TRIGGER "${name}" ${when} BEGIN ${body.join("; ")}; END`;
}
