import { type CountedRows, countsIf, LABEL_KINDS, LABELS, type Owner } from "./counted-rows.ts";

const ADD = "insert into totals(kind, name, part, total)";
const TOGETHER =
  "on conflict (kind, name, part) do update set total = totals.total + excluded.total";

/** SQL that adds `by` for one row that counts. */
export function addRow({ kind, name, part }: CountedRows, row: string, by: 1 | -1): string {
  return `${ADD} values ('${kind}', ${name(row)}, ${part(row)}, ${by}) ${TOGETHER}`;
}

/** SQL that adds `by` for one row if it counts. */
export function addRowIf(counted: CountedRows, row: string, by: 1 | -1): string {
  const { kind, name, part } = counted;
  return `${ADD} select '${kind}', ${name(row)}, ${part(row)}, ${by} where ${countsIf(counted, row)} ${TOGETHER}`;
}

/** SQL that removes the total of a row if it has reached zero. */
export function removeIfEmpty({ kind, name, part }: CountedRows, row: string): string {
  return `delete from totals where kind = '${kind}' and name = ${name(row)} and part = ${part(row)} and total = 0`;
}

/** SQL that adds the rows of one relation and subtracts those of another. */
export function addRows(
  counted: CountedRows,
  { come, gone }: { readonly come?: string; readonly gone?: string },
): string {
  const { kind, name, part } = counted;
  const rowsOf = (rows: string, by: 1 | -1) =>
    `select ${name("held")} as name, ${part("held")} as part, ${by} as one from ${rows} held where ${countsIf(counted, "held")}`;
  const rows = [
    ...(come === undefined ? [] : [rowsOf(come, 1)]),
    ...(gone === undefined ? [] : [rowsOf(gone, -1)]),
  ];
  return `${ADD} select '${kind}', name, part, sum(one) from (${rows.join(" union all ")}) held group by name, part having sum(one) <> 0 ${TOGETHER}`;
}

/** SQL that adds the rows of a restored item, or subtracts those of a deleted one. */
export function addRowsOfOwner(counted: CountedRows, owner: Owner): string {
  const { kind, table, name, part } = counted;
  const visible = countsIf(counted, "held", [owner]);
  return `${ADD} select '${kind}', name, part, sum(one) from (select ${name("held")} as name, ${part("held")} as part, case when new.deleted_at is null then 1 else -1 end as one from ${table} held where ${owner.has("held", "new.id")} and ${visible}) held group by name, part ${TOGETHER}`;
}

/** SQL that removes the totals of an item's rows if they have reached zero. */
export function removeEmptyOfOwner({ kind, table, name, part }: CountedRows, owner: Owner): string {
  return `delete from totals where kind = '${kind}' and total = 0 and (name, part) in (select ${name("held")}, ${part("held")} from ${table} held where ${owner.has("held", "new.id")})`;
}

/** Condition: an update deletes or restores an item, which hides or shows the rows that it owns. */
export const OWNER_COMES_OR_GOES = "(old.deleted_at is null) <> (new.deleted_at is null)";

const listed = LABEL_KINDS.map((kind) => `'${kind}'`).join(", ");

/** Condition: a row of `totals` counts as a label, which is in use as long as the row exists. */
export const isLabel = (row: string) => `${row}.kind in (${listed})`;

export const isLabelElsewhere = (row: string) =>
  `exists (select 1 from totals other where other.kind in (${listed}) and other.kind <> ${row}.kind and other.name = ${row}.name and other.part = ${row}.part)`;

export function addLabel(by: 1 | -1): string {
  return `${ADD} values ('${LABELS}', '', '', ${by}) ${TOGETHER}`;
}

export const REMOVE_EMPTY =
  "delete from totals where kind = new.kind and name = new.name and part = new.part";
