import type { LayerWarning } from "./recall.schema.ts";

/** Layers of which nothing is in the answer, a line each. */
export function formatWarnings(warnings: readonly LayerWarning[]): string {
  return warnings.map(({ message }) => `WARNING: ${message}`).join("\n");
}
