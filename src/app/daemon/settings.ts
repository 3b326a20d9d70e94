import { z } from "zod";
import { withTrust } from "../../shared/fields.ts";

export const daemonSettings = withTrust(
  z.strictObject({
    daemon: z
      .enum(["auto", "off"])
      .default("auto")
      .describe(
        "`auto`: the first command of yours starts a process that stays for a while and answers the next ones at once (set by nobody, not in integration runs nor for a data folder among temporary files); `off`: each command does its own work.",
      ),
    daemonIdle: z
      .number()
      .min(0.01)
      .max(1440)
      .default(15)
      .describe("Minutes without a question after which the process that stays ends."),
  }),
  { daemon: "trusted", daemonIdle: "trusted" },
);
