import type { Row } from "./lay-out.ts";
import type { Fields } from "./show-value.ts";
import type { Style } from "./style.ts";

/**
 * How a record is shown, known by the fields that it has, so that whatever an operation answers is
 * readable without naming the operation. A row stands in a table, a block on its own.
 */
export type Shape = RowShape | BlockShape;

export interface RowShape {
  /** What stands above its columns on a terminal. */
  readonly columns?: Row;
  fits(record: Fields): boolean;
  row(record: Fields, style: Style): Row;
}

export interface BlockShape {
  fits(record: Fields): boolean;
  block(record: Fields, style: Style): string[];
}
