import type { Row } from "./lay-out.ts";
import type { Fields } from "./show-value.ts";
import type { Style } from "./style.ts";

/**
 * How a record is shown, known by the fields that it has, so that whatever an operation answers is
 * readable without naming the operation. A row stands in a table, a block on its own.
 */
export type Shape = RowShape | BlockShape;

/** `Shown` is the record as the operations that answer it describe it (`shown.ts`). */
export interface RowShape<Shown = Fields> {
  /** What stands above its columns on a terminal. */
  readonly columns?: Row;
  fits(record: Fields): boolean;
  row(record: Shown, style: Style): Row;
}

export interface BlockShape<Shown = Fields> {
  fits(record: Fields): boolean;
  block(record: Shown, style: Style): string[];
}
