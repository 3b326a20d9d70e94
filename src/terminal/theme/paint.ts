import type { Paint } from "../text/style.ts";

export type Backdrop = "dark" | "light";

/** Queries the background color (OSC 11); unsupported terminals do not respond. */
export const BACKDROP_QUERY = "\x1b]11;?\x07";

export function readBackdrop(answer: string): Backdrop | undefined {
  const match = /^11;rgba?:([0-9a-f]+)\/([0-9a-f]+)\/([0-9a-f]+)/i.exec(answer);
  if (match === null) return undefined;
  const [red = 0, green = 0, blue = 0] = match.slice(1, 4).map(channelRatio);
  // Perceived brightness (Rec. 601).
  return 0.299 * red + 0.587 * green + 0.114 * blue > 0.5 ? "light" : "dark";
}

function channelRatio(digits: string): number {
  return Number.parseInt(digits, 16) / (16 ** digits.length - 1);
}

/** `auto` uses the terminal's reported background. */
export const THEMES = ["auto", "dark", "light"] as const;

export type Theme = (typeof THEMES)[number];

export interface TerminalColors {
  readonly isOff: boolean;
  /** 256 colors; otherwise 16 or unknown. */
  readonly isRich: boolean;
  readonly background?: Backdrop;
}

/** `found`: background reported by the terminal. NO_COLOR overrides every theme. */
export function choosePaint(colors: TerminalColors, theme: Theme, found?: Backdrop): Paint {
  if (colors.isOff) return "mono";
  if (theme !== "auto") return theme;
  return colors.isRich ? (found ?? colors.background ?? "dark") : "color";
}
