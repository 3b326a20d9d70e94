import { z } from "zod";
import { withTrust } from "../../shared/fields.ts";

export const daemonSettings = withTrust(
  z.strictObject({
    daemon: z
      .enum(["auto", "off"])
      .default("auto")
      .describe(
        "`auto`: the first command starts a daemon that speeds up later commands (not in CI, nor for a temporary data folder); `off`: each command runs in its own process.",
      ),
    daemonIdle: z
      .number()
      .min(0.01)
      .max(1440)
      .default(15)
      .describe("Minutes without a request after which the daemon exits."),
  }),
  { daemon: "trusted", daemonIdle: "trusted" },
);
