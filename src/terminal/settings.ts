import { z } from "zod";
import { withTrust } from "../shared/fields.ts";
import { THEMES } from "./theme/paint-of.ts";

export const terminalSettings = withTrust(
  z.object({
    theme: z
      .enum(THEMES)
      .default("auto")
      .describe(
        "Colours for a `dark` or a `light` background; `auto` asks the terminal which it has.",
      ),
    screenReader: z
      .boolean()
      .optional()
      .describe(
        "The terminal line below line and in words, for a screen reader; by default where ACCESSIBLE, INK_SCREEN_READER or VSCODE_A11Y_MODE says that there is one.",
      ),
  }),
  { theme: "anyone", screenReader: (value, user) => value === user },
);
