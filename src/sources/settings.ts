import { z } from "zod";
import { withTrust } from "../kernel/field-meta.ts";

/** What is kept of what was written or said elsewhere, as the config file calls it. */
export const SOURCE_TYPES = ["sessions", "git"] as const;

/** The sources' part of the config file. */
export const sourcesSettings = withTrust(
  z.strictObject({
    off: z
      .array(z.enum(SOURCE_TYPES))
      .default([])
      .describe(
        "What is not kept by itself: sessions, the turns of agents whose hooks call cairn; git, the commits of the project.",
      ),
  }),
  // Nobody is hurt by keeping less.
  { off: "anyone" },
);
