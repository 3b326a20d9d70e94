import { COUNTED_ROWS, countAll, LABELS } from "./counted-rows.ts";

/**
 * Counts every row anew. In this order: the triggers on `totals` count labels along, by numbers that
 * may have been wrong.
 */
export const MAKE_TOTALS_ANEW: readonly string[] = [
  "delete from totals",
  `delete from totals where kind = '${LABELS}'`,
  `insert into totals(kind, name, part, total) ${countAll(COUNTED_ROWS.map(({ kind }) => kind))}`,
  `delete from totals where kind = '${LABELS}'`,
  `insert into totals(kind, name, part, total) ${countAll([LABELS])}`,
];
