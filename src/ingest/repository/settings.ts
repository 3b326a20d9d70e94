import { z } from "zod";
import { withTrust } from "../../shared/fields.ts";

export const syncSettings = withTrust(
  z.strictObject({
    types: z
      .array(z.string())
      .default(["decision", "preference", "fact", "outcome"])
      .describe(
        "What `cairn sync` writes into `.cairn/memory`; what was written there by hand stays there.",
      ),
    leave: z
      .array(z.string())
      .default(["private", "told=never"])
      .describe("Labels, `key` or `key=value`, of what never goes into the repository."),
  }),
  { types: "trusted", leave: "trusted" },
);
