import type { Row } from "./lay-out.ts";
import type { Fields } from "./show-value.ts";
import type { Style } from "./style.ts";

/**
 * Presentation of a record, selected by its fields so that it works for any operation. Rows form
 * tables; blocks stand alone.
 */
export type Shape = RowShape | BlockShape;

/** `Shown` is the record type of the operations that return it (`shown.ts`). */
export interface RowShape<Shown = Fields> {
  /** Column headings. */
  readonly columns?: Row;
  fits(record: Fields): boolean;
  row(record: Shown, style: Style): Row;
}

export interface BlockShape<Shown = Fields> {
  fits(record: Fields): boolean;
  block(record: Shown, style: Style): string[];
}
