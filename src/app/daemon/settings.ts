import { z } from "zod";
import { withTrust } from "../../shared/fields.ts";

export const daemonSettings = withTrust(
  z.strictObject({
    daemon: z
      .enum(["auto", "off"])
      .default("auto")
      .describe(
        "`auto`: your first command starts a background daemon that speeds up later ones; unless you set it, no daemon starts in CI or for a data directory below a temporary folder. `off`: each command runs without a daemon.",
      ),
  }),
  { daemon: "trusted" },
);
