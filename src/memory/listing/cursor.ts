import { z } from "zod";
import { invalidInput } from "../../shared/errors.ts";
import type { CursorPosition } from "../context/page-cursor.ts";

export interface Position {
  readonly sort: string;
  readonly key: string;
  readonly kind: number;
  readonly number: number;
}

const stored = z.tuple([
  z.string(),
  z.string(),
  z.number().int().min(0).max(9),
  z.number().int().min(1).max(Number.MAX_SAFE_INTEGER),
]);

export function writeCursor({ sort, key, kind, number }: Position): string {
  return Buffer.from(JSON.stringify([sort, key, kind, number])).toString("base64url");
}

/** Throws invalid_input unless the text is a cursor of this order. */
export function readCursor(text: string, sort: string): Position {
  const parsed = stored.safeParse(decodeCursor(text));
  if (!parsed.success) {
    throw invalidInput("cursor: is invalid; use `next_cursor` of the previous page, or omit it");
  }
  const [of, key, kind, number] = parsed.data;
  if (of === sort) return { sort, key, kind, number };
  throw invalidInput(`cursor: belongs to sort=${of}, not to sort=${sort}; start without a cursor`);
}

const storedPlace = z.tuple([z.string()], z.union([z.string(), z.number()]));

export function encodePosition(order: string, position: CursorPosition): string {
  return Buffer.from(JSON.stringify([order, ...position])).toString("base64url");
}

/** Throws invalid_input unless the text is a cursor of this list. */
export function decodePosition(text: string, order: string): CursorPosition {
  const parsed = storedPlace.safeParse(decodeCursor(text));
  if (parsed.success && parsed.data[0] === order) return parsed.data.slice(1);
  throw invalidInput(
    "cursor: does not belong to this list; use `next_cursor` of the previous page, or omit it",
  );
}

function decodeCursor(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, "base64url").toString("utf8"));
  } catch {
    return undefined;
  }
}
