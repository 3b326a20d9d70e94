import { z } from "zod";
import { withMeta, withTrust } from "../shared/fields.ts";

const acceptRule = z.strictObject({
  types: z.array(z.string()).default([]).describe("Types of proposals; none: all."),
  by: z.array(z.string()).default([]).describe("Who said it; none: anybody."),
  labels: z.array(z.string()).default([]).describe("Labels that it has to carry, key=value."),
});

export type AcceptRule = z.output<typeof acceptRule>;

/** How what waits for a person comes to one: a part of the config file of whoever runs it. */
export const decidingSettings = withTrust(
  z.strictObject({
    webhook: withMeta(z.url({ protocol: /^https?$/ }), { secret: true })
      .optional()
      .describe(
        "Address to which a server posts what was proposed, and once a day what waits; JSON as Slack takes it. Where `layers` are set, nothing of the default database, which is private then.",
      ),
    owners: z
      .array(
        z
          .string()
          .max(1_000)
          .regex(
            /^\s*(?:#.*|\S+(?:\s+\S+)+)?\s*$/,
            "A line is a pattern and the names of tokens behind it.",
          ),
      )
      .max(1_000)
      .default([])
      .describe(
        "Who decides about which proposals, a line each as in CODEOWNERS: `src/pay/** ada`, `label:area=deploy bruno`, `type:decision carla`. The last line that fits counts; a token of another name is refused.",
      ),
    accept: z
      .array(acceptRule)
      .max(100)
      .default([])
      .describe(
        "What a server accepts by itself: proposals that fit one of these rules and contradict nothing.",
      ),
  }),
  { webhook: "trusted", owners: "trusted", accept: "trusted" },
);
