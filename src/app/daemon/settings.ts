import { z } from "zod";
import { withTrust } from "../../shared/fields.ts";

export const daemonSettings = withTrust(
  z.strictObject({
    daemon: z
      .enum(["auto", "off"])
      .default("auto")
      .describe(
        "`auto`: your first command starts a background daemon that answers the following ones faster; unless you set it, no daemon starts in CI or for a data directory below a temporary folder. `off`: each command does its own work.",
      ),
  }),
  { daemon: "trusted" },
);
