import { type CountedRows, countsIf, LABEL_KINDS, LABELS, type Owner } from "./counted-rows.ts";

const ADD = "insert into totals(kind, name, part, total)";
const TOGETHER =
  "on conflict (kind, name, part) do update set total = totals.total + excluded.total";

/** Adds `by` for one row that counts. */
export function addRow({ kind, name, part }: CountedRows, row: string, by: 1 | -1): string {
  return `${ADD} values ('${kind}', ${name(row)}, ${part(row)}, ${by}) ${TOGETHER}`;
}

/** Adds `by` for one row, if it counts. */
export function addRowIf(counted: CountedRows, row: string, by: 1 | -1): string {
  const { kind, name, part } = counted;
  return `${ADD} select '${kind}', ${name(row)}, ${part(row)}, ${by} where ${countsIf(counted, row)} ${TOGETHER}`;
}

/** Removes the number of a row, if nothing is left of it. */
export function removeIfEmpty({ kind, name, part }: CountedRows, row: string): string {
  return `delete from totals where kind = '${kind}' and name = ${name(row)} and part = ${part(row)} and total = 0`;
}

/** Adds the rows of one relation and takes off those of another. */
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

/** Adds the rows of an item that comes back, or takes them off with an item that is deleted. */
export function addRowsOfOwner(counted: CountedRows, owner: Owner): string {
  const { kind, table, name, part } = counted;
  const visible = countsIf(counted, "held", [owner]);
  return `${ADD} select '${kind}', name, part, sum(one) from (select ${name("held")} as name, ${part("held")} as part, case when new.deleted_at is null then 1 else -1 end as one from ${table} held where ${owner.has("held", "new.id")} and ${visible}) held group by name, part ${TOGETHER}`;
}

/** Removes the numbers of the rows of an item, where nothing is left of them. */
export function removeEmptyOfOwner({ kind, table, name, part }: CountedRows, owner: Owner): string {
  return `delete from totals where kind = '${kind}' and total = 0 and (name, part) in (select ${name("held")}, ${part("held")} from ${table} held where ${owner.has("held", "new.id")})`;
}

/** When a row of an item changes so that the rows which it owns come or go. */
export const OWNER_COMES_OR_GOES = "(old.deleted_at is null) <> (new.deleted_at is null)";

const listed = LABEL_KINDS.map((kind) => `'${kind}'`).join(", ");

/** When a label is used for the first time, or no longer: the rows of `totals` are counted. */
export const isLabel = (row: string) => `${row}.kind in (${listed})`;

export const isLabelElsewhere = (row: string) =>
  `exists (select 1 from totals other where other.kind in (${listed}) and other.kind <> ${row}.kind and other.name = ${row}.name and other.part = ${row}.part)`;

export function addLabel(by: 1 | -1): string {
  return `${ADD} values ('${LABELS}', '', '', ${by}) ${TOGETHER}`;
}

export const REMOVE_EMPTY =
  "delete from totals where kind = new.kind and name = new.name and part = new.part";
