import { COUNTED_ROWS, countAll, LABELS } from "./counted-rows.ts";

/**
 * Statements that recount every row. The order matters: triggers on `totals` update the number of labels,
 * based on totals that may have been wrong.
 */
export const MAKE_TOTALS_ANEW: readonly string[] = [
  "delete from totals",
  `delete from totals where kind = '${LABELS}'`,
  `insert into totals(kind, name, part, total) ${countAll(COUNTED_ROWS.map(({ kind }) => kind))}`,
  `delete from totals where kind = '${LABELS}'`,
  `insert into totals(kind, name, part, total) ${countAll([LABELS])}`,
];
