import { z } from "zod";
import { withTrust } from "../kernel/field-meta.ts";
import { ACCEPTANCES } from "./gate.ts";

/** The part of the config file about what is learned from sessions. */
export const learnSettings = withTrust(
  z.strictObject({
    accept: z
      .enum(ACCEPTANCES)
      .default("auto")
      .describe(
        "auto: what a person said is kept by itself, the rest waits as a proposal. ask: everything waits as a proposal.",
      ),
  }),
  // What is kept without asking is for the person to say, and not for a project.
  { accept: "trusted" },
);
