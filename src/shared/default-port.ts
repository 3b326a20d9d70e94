/** The port on which `cairn serve` listens by default, and where `cairn ui` and `cairn ui` look for it. */
export const DEFAULT_PORT = 7433;
