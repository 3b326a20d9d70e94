/**
 * Ends this process with the one that started it, and not with Ctrl-C: in a terminal that reaches the
 * whole group, and the parent decides when this ends.
 */
export function endWithParent(): void {
  process.on("SIGINT", () => undefined);
  process.once("disconnect", () => process.exit());
}
