import { z } from "zod";

/** US dollars for a million tokens. */
export const priceSettings = z.strictObject({
  input: z.number().min(0),
  output: z.number().min(0),
  /** Read from the provider's cache; default: as `input`. */
  cachedInput: z.number().min(0).optional(),
  /** Written into it; default: as `input`. */
  cacheWrite: z.number().min(0).optional(),
});

export type Price = z.output<typeof priceSettings>;
