/** Where `cairn serve` listens unless it is told otherwise; `cairn ui` and `cairn open` look there. */
export const DEFAULT_PORT = 7433;
