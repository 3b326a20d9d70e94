import { z } from "zod";
import { withMeta } from "../../shared/fields.ts";

export const ifMatchField = withMeta(z.number().int().min(0), { ofPrograms: true }).describe(
  "Only if the item is still at this `version`, as `history` gives it, of several items the greatest; else `conflict`.",
);
