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
  // A project may have more asked about; what is kept without asking, a person says.
  { accept: "trusted" },
);
