import { z } from "zod";
import { invalidInput } from "../../shared/errors.ts";
import { withMeta } from "../../shared/fields.ts";
import type { ExecuteOptions } from "../context/execute-options.ts";
import type { CursorPosition, Page } from "../context/page-cursor.ts";
import { decodePosition, encodePosition } from "../listing/cursor.ts";

export const MAX_LIMIT = 500;
const DEFAULT_LIMIT = 50;

export const pageField = z.number().int().min(1).max(1_000_000_000).describe("Counted from 1.");
export const limitField = withMeta(z.number().int().min(1).max(MAX_LIMIT), {
  short: "n",
}).describe(`Up to ${MAX_LIMIT}.`);

export const numberedPageInput = {
  page: pageField.default(1),
  limit: limitField.default(DEFAULT_LIMIT),
};

const cursorField = z
  .string()
  .max(2000)
  .describe(
    "`next_cursor` of the previous page, instead of `page`: concurrent writes repeat no item.",
  );

export const pagedInput = { ...numberedPageInput, cursor: cursorField.optional() };

export const wholeListInput = {
  page: pageField.optional(),
  limit: limitField.optional(),
  cursor: cursorField.optional(),
};

export const listOutput = {
  total: z.number().int(),
  page: z.number().int().describe("1 behind a cursor."),
  limit: z.number().int(),
  omitted: z.number().int().optional().describe("Number of omitted items; absent if complete."),
};

export const placedOutput = {
  ...listOutput,
  next_cursor: z.string().optional().describe("Cursor of the next page; absent on the last one."),
};

type ListLimit = Pick<ExecuteOptions, "maxItems">;

export interface PageOfInput {
  readonly page?: number | undefined;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

export function toPage(
  input: PageOfInput,
  { maxItems }: ListLimit = {},
): { limit: number; offset: number } | undefined {
  if (!requestsPage(input)) {
    return maxItems === undefined ? undefined : { limit: maxItems, offset: 0 };
  }
  const limit = input.limit ?? DEFAULT_LIMIT;
  return { limit, offset: ((input.page ?? 1) - 1) * limit };
}

function requestsPage({ page, limit, cursor }: PageOfInput): boolean {
  return page !== undefined || limit !== undefined || cursor !== undefined;
}

export interface PlacedList<Of extends CursorPosition> {
  readonly order: string;
  load(page: Page | undefined): Promise<readonly Of[]>;
}

/**
 * Returns the page's positions and the next cursor. Throws invalid_input for another list's cursor.
 */
export async function loadPositions<Of extends CursorPosition>(
  input: PageOfInput,
  wish: ListLimit,
  { order, load }: PlacedList<Of>,
): Promise<{ positions: readonly Of[]; next: { next_cursor?: string } }> {
  const page = toPage(input, wish);
  if (page === undefined || !requestsPage(input)) return { positions: await load(page), next: {} };
  if (input.cursor !== undefined && page.offset > 0) {
    throw invalidInput("cursor: cannot be combined with page; omit `page`");
  }
  const after = input.cursor === undefined ? undefined : decodePosition(input.cursor, order);
  const found = await load({ ...page, limit: page.limit + 1, after });
  const places = found.slice(0, page.limit);
  const last = places.at(-1);
  const isLast = found.length <= page.limit || last === undefined;
  return { positions: places, next: isLast ? {} : { next_cursor: encodePosition(order, last) } };
}

/** Returns one page of an in-memory list. `behind` tests whether an item is after a position. */
export function takePart<Item>(
  list: readonly Item[],
  page: Page | undefined,
  behind: (item: Item, position: CursorPosition) => boolean,
): readonly Item[] {
  if (page === undefined) return list;
  const { after, offset, limit } = page;
  const rest = after === undefined ? list : list.filter((item) => behind(item, after));
  return rest.slice(offset, offset + limit);
}

/** Returns true if an item comes later in a list sorted by descending time and number. */
export function isOlder(
  [time, number]: CursorPosition,
  [otherTime = 0, otherNumber = 0]: CursorPosition,
): boolean {
  if (time !== otherTime) return String(time) < String(otherTime);
  return Number(number) < Number(otherNumber);
}

export function listNumbers(input: PageOfInput, total: number, { maxItems }: ListLimit = {}) {
  const page = toPage(input);
  if (page === undefined) {
    const left = maxItems === undefined ? 0 : Math.max(0, total - maxItems);
    const limit = Math.max(total - left, 1);
    return { total, page: 1, limit, ...(left > 0 && { omitted: left }) };
  }
  return { total, page: input.page ?? 1, limit: page.limit };
}
