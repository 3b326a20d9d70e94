import type { ClientBase } from "pg";
import {
  addLabel,
  addRows,
  addRowsOfOwner,
  isLabel,
  isLabelElsewhere,
  OWNER_COMES_OR_GOES,
  REMOVE_EMPTY,
} from "../totals/add-to-totals.ts";
import { COUNTED_ROWS, type CountedRows } from "../totals/counted-rows.ts";
import { MAKE_TOTALS_ANEW } from "../totals/make-totals-anew.ts";

export interface TotalsTrigger {
  readonly name: string;
  readonly table: string;
  /** The statement that creates it. */
  readonly sql: string;
}

/**
 * Installs triggers that keep `totals` right, as on SQLite. Rows written by one statement are counted
 * together, because each update of a row of `totals` leaves a dead row behind.
 */
export async function installTotals(client: ClientBase): Promise<void> {
  const statements = [
    ...FUNCTIONS,
    ...TOTALS_TRIGGERS.flatMap(({ name, table, sql }) => [
      `drop trigger if exists ${name} on ${table}`,
      sql,
    ]),
    ...MAKE_TOTALS_ANEW,
  ];
  await client.query(statements.join(";\n"));
}

const parts = COUNTED_ROWS.map(partsOf);

const FUNCTIONS: readonly string[] = [
  ...parts.flatMap(({ functions }) => functions),
  functionOf("totals_emptied", `${REMOVE_EMPTY}; return null;`),
  functionOf(
    "totals_label_comes",
    `if not ${isLabelElsewhere("new")} then ${addLabel(1)}; end if; return null;`,
  ),
  functionOf(
    "totals_label_goes",
    `if not ${isLabelElsewhere("old")} then ${addLabel(-1)}; end if; return null;`,
  ),
];

export const TOTALS_TRIGGERS: readonly TotalsTrigger[] = [
  ...parts.flatMap(({ triggers }) => triggers),
  triggerOf("totals_emptied", "totals", {
    when: "after update",
    each: "for each row when (new.total = 0)",
  }),
  triggerOf("totals_label_comes", "totals", {
    when: "after insert",
    each: `for each row when (${isLabel("new")})`,
  }),
  triggerOf("totals_label_goes", "totals", {
    when: "after delete",
    each: `for each row when (${isLabel("old")})`,
  }),
];

function partsOf(counted: CountedRows) {
  const { kind, table, columns, owners } = counted;
  const name = `totals_${kind}`;
  const come = "referencing new table as come for each statement";
  const gone = "referencing old table as gone for each statement";
  const both = "referencing old table as gone new table as come for each statement";
  const whole = { come: "come", gone: "gone" };
  const functions = [
    functionOf(`${name}_insert`, `${addRows(counted, { come: "come" })}; return null;`),
    functionOf(`${name}_delete`, `${addRows(counted, { gone: "gone" })}; return null;`),
    ...(columns.length === 0
      ? []
      : [functionOf(`${name}_update`, `${addRows(counted, whole)}; return null;`)]),
    // Runs before the row is written: if one statement deletes both ends of a row, the second delete sees the
    // first.
    ...owners.map((owner, place) =>
      functionOf(`${name}_owner_${place}`, `${addRowsOfOwner(counted, owner)}; return new;`),
    ),
  ];
  const triggers = [
    triggerOf(`${name}_insert`, table, { when: "after insert", each: come }),
    triggerOf(`${name}_delete`, table, { when: "after delete", each: gone }),
    ...(columns.length === 0
      ? []
      : [triggerOf(`${name}_update`, table, { when: "after update", each: both })]),
    ...owners.map((owner, place) =>
      triggerOf(`${name}_owner_${place}`, owner.table, {
        when: "before update of deleted_at",
        each: `for each row when (${OWNER_COMES_OR_GOES})`,
      }),
    ),
  ];
  return { functions, triggers };
}

function functionOf(name: string, body: string): string {
  return `create or replace function ${name}() returns trigger language plpgsql as $trigger$ begin ${body} end $trigger$`;
}

function triggerOf(
  name: string,
  table: string,
  { when, each }: { readonly when: string; readonly each: string },
): TotalsTrigger {
  const sql = `create trigger ${name} ${when} on ${table} ${each} execute function ${name}()`;
  return { name, table, sql };
}
