import { z } from "zod";
import { withMeta } from "../../kernel/field-meta.ts";

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
};

export interface PageOfInput {
  readonly page?: number | undefined;
  readonly limit?: number | undefined;
}

/** Undefined: the whole list was asked for. */
export function toPage(input: PageOfInput): { limit: number; offset: number } | undefined {
  if (input.page === undefined && input.limit === undefined) return undefined;
  const limit = input.limit ?? DEFAULT_LIMIT;
  return { limit, offset: ((input.page ?? 1) - 1) * limit };
}

/** The numbers beside the items of a list. */
export function listNumbers(input: PageOfInput, total: number) {
  const page = toPage(input);
  if (page === undefined) return { total, page: 1, limit: Math.max(total, 1) };
  return { total, page: input.page ?? 1, limit: page.limit };
}
