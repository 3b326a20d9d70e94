import { z } from "zod";
import { withTrust } from "../../shared/fields.ts";

export const SOURCE_TYPES = ["sessions", "git", "decisions"] as const;

const AGE = /^(?:off|[1-9]\d{0,4}d)$/;

export const sourcesKeep = z.strictObject({
  age: z
    .string()
    .regex(AGE, "An age is `off` or a number of days such as `365d`.")
    .default("1095d")
    .describe("Sessions that nobody went on with for so long are forgotten, e.g. 365d. off: none."),
});

export const sourcesSettings = withTrust(
  z.strictObject({
    off: z
      .array(z.enum(SOURCE_TYPES))
      .default([])
      .describe(
        "What is not kept by itself: sessions, the turns of agents whose hooks call cairn; git, the commits of the project; decisions, its files of decisions and conventions.",
      ),
    keep: sourcesKeep
      .prefault({})
      .describe("What is forgotten by itself; `cairn restore source:N` brings one back."),
  }),
  { off: "anyone", keep: { age: "trusted" } },
);

export type SourcesKeep = z.output<typeof sourcesKeep>;
