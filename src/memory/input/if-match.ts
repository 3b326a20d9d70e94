import { z } from "zod";
import { withMeta } from "../../shared/fields.ts";

export const ifMatchField = withMeta(z.number().int().min(0), { ofPrograms: true }).describe(
  "Require this `version` of the item, from `history` (the highest of several); else `conflict`.",
);
