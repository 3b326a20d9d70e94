import type { Row } from "./lay-out.ts";
import type { Fields } from "./show-value.ts";
import type { Style } from "./style.ts";

/**
 * Presentation of a record, chosen by the fields that it has, so that the answer of any operation is
 * readable without naming that operation. A row stands in a table, a block by itself.
 */
export type Shape = RowShape | BlockShape;

/** `Shown` is the record as the operations that answer it describe it (`shown.ts`). */
export interface RowShape<Shown = Fields> {
  /** The column headings on a terminal. */
  readonly columns?: Row;
  fits(record: Fields): boolean;
  row(record: Shown, style: Style): Row;
}

export interface BlockShape<Shown = Fields> {
  fits(record: Fields): boolean;
  block(record: Shown, style: Style): string[];
}
