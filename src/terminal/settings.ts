import { z } from "zod";
import { withTrust } from "../shared/fields.ts";
import { THEMES } from "./theme/paint.ts";

export const terminalSettings = withTrust(
  z.object({
    theme: z
      .enum(THEMES)
      .default("auto")
      .describe("Color theme; `auto` detects the background of the terminal."),
    screenReader: z
      .boolean()
      .optional()
      .describe(
        "Plain output for screen readers; default: on if ACCESSIBLE, INK_SCREEN_READER or VSCODE_A11Y_MODE is set.",
      ),
  }),
  { theme: "anyone", screenReader: (value, user) => value === user },
);
