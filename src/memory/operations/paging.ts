import { z } from "zod";
import { withMeta } from "../../kernel/field-meta.ts";
import type { ExecuteOptions } from "../context/execute-options.ts";

export const MAX_LIMIT = 500;
const DEFAULT_LIMIT = 50;

export const pageField = z.number().int().min(1).max(1_000_000_000).describe("Counted from 1.");
export const limitField = withMeta(z.number().int().min(1).max(MAX_LIMIT), {
  short: "n",
}).describe(`Up to ${MAX_LIMIT}.`);

/** Input of a list that is always paged. */
export const pagedInput = {
  page: pageField.default(1),
  limit: limitField.default(DEFAULT_LIMIT),
};

/** Input of a list that is whole unless a page or a limit is asked for. */
export const wholeInput = { page: pageField.optional(), limit: limitField.optional() };

/** What every list says beside its items. */
export const listOutput = {
  total: z.number().int(),
  page: z.number().int(),
  limit: z.number().int(),
  omitted: z
    .number()
    .int()
    .optional()
    .describe("How many are left out; nothing when all are there."),
};

/** How the caller takes lists. */
type ListWish = Pick<ExecuteOptions, "most">;

export interface PageOfInput {
  readonly page?: number | undefined;
  readonly limit?: number | undefined;
}

/** Undefined: the whole list was asked for, and the caller takes it whole. */
export function toPage(
  input: PageOfInput,
  { most }: ListWish = {},
): { limit: number; offset: number } | undefined {
  if (input.page === undefined && input.limit === undefined) {
    return most === undefined ? undefined : { limit: most, offset: 0 };
  }
  const limit = input.limit ?? DEFAULT_LIMIT;
  return { limit, offset: ((input.page ?? 1) - 1) * limit };
}

/** The numbers beside the items of a list. */
export function listNumbers(input: PageOfInput, total: number, { most }: ListWish = {}) {
  const page = toPage(input);
  if (page === undefined) {
    const left = most === undefined ? 0 : Math.max(0, total - most);
    const limit = Math.max(total - left, 1);
    return { total, page: 1, limit, ...(left > 0 && { omitted: left }) };
  }
  return { total, page: input.page ?? 1, limit: page.limit };
}
