import { z } from "zod";

/** What a caller last saw of the item that it writes. */
export const ifMatchField = z
  .number()
  .int()
  .min(0)
  .describe("Only if the item is still at this `version`, as `history` gives it; else `conflict`.");
