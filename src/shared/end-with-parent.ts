/**
 * Ends this process when its parent ends, but not on Ctrl-C: a terminal sends that to the whole group, and
 * the parent decides when this process ends.
 */
export function endWithParent(): void {
  process.on("SIGINT", () => undefined);
  process.once("disconnect", () => process.exit());
}
