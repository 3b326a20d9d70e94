import type { Line, Span } from "./style.ts";
import { lineWidth } from "./wrap.ts";

export interface CursorPosition {
  /** Column, from 0. */
  readonly x: number;
  /** Row, from 0. */
  readonly y: number;
}

export function findCursor(lines: readonly Line[]): CursorPosition | undefined {
  const y = lines.findLastIndex((line) => line.some(isCursor));
  const line = lines[y];
  if (line === undefined) return undefined;
  const before = line.slice(0, line.findIndex(isCursor));
  return { x: lineWidth(before), y };
}

function isCursor({ style }: Span): boolean {
  return style?.cursor === true;
}
