import type { Paint } from "../text/style.ts";
import type { Backdrop } from "./backdrop.ts";
import type { Theme } from "./themes.ts";

export interface TerminalColors {
  /** NO_COLOR is set. */
  readonly isOff: boolean;
  /** 256 of them; otherwise it has 16, or that is not known. */
  readonly isRich: boolean;
  readonly background?: Backdrop;
}

/** `found` is what the terminal has answered. NO_COLOR outweighs every theme. */
export function paintOf(colors: TerminalColors, theme: Theme, found?: Backdrop): Paint {
  if (colors.isOff) return "mono";
  if (theme !== "auto") return theme;
  return colors.isRich ? (found ?? colors.background ?? "dark") : "color";
}
