import { z } from "zod";
import { withTrust } from "../../shared/fields.ts";

export const SOURCE_TYPES = ["sessions", "git", "decisions"] as const;

const AGE_PATTERN = /^(?:off|[1-9]\d{0,4}d)$/;

export const sourcesKeep = z.strictObject({
  age: z
    .string()
    .regex(AGE_PATTERN, "An age is `off` or a number of days such as `365d`.")
    .default("1095d")
    .describe("Forgets sessions idle for this long, e.g. 365d; off: never."),
});

export const sourcesSettings = withTrust(
  z.strictObject({
    off: z
      .array(z.enum(SOURCE_TYPES))
      .default([])
      .describe(
        "Sources that are not captured automatically: sessions (turns of agents with hooks), git (commits of the project), decisions (files with decisions and conventions).",
      ),
    keep: sourcesKeep
      .prefault({})
      .describe("Automatic retention; `cairn restore source:N` restores a source."),
  }),
  { off: "anyone", keep: { age: "trusted" } },
);

export type SourceRetention = z.output<typeof sourcesKeep>;
