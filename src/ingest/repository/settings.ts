import { z } from "zod";
import { withTrust } from "../../shared/fields.ts";

export const syncSettings = withTrust(
  z.strictObject({
    types: z
      .array(z.string())
      .default(["decision", "preference", "fact", "outcome"])
      .describe(
        "Types that `cairn sync` exports to `.cairn/memory`; manually added items stay there.",
      ),
    leave: z
      .array(z.string())
      .default(["private", "told=never"])
      .describe("Labels (`key` or `key=value`) of items that are never exported."),
  }),
  { types: "trusted", leave: "trusted" },
);
