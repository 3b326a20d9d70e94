const DO_THEIR_OWN = new Set(
  "acp agent audit completion config connect daemon db doctor edit events export graph help import init mcp purge reindex serve sessions token trust ui ui-server version".split(
    " ",
  ),
);

/**
 * True if the daemon may know an answer; it looks at the words itself, as the command line does.
 * What
 * is left out here costs no question.
 */
export function isWorthAsking(args: readonly string[]): boolean {
  const word = args.find((arg) => !arg.startsWith("-"));
  if (word === undefined || DO_THEIR_OWN.has(args[0] ?? "")) return false;
  return !args.some(
    (arg) => arg === "--help" || arg === "-h" || arg === "--version" || arg === "-V",
  );
}
