/** True if the terminal's background is dark or light; `auto`: as the terminal says. */
export const THEMES = ["auto", "dark", "light"] as const;

export type Theme = (typeof THEMES)[number];
