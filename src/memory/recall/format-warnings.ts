import type { LayerWarning } from "./recall.schema.ts";

/** A line for each layer that contributed nothing to the answer. */
export function formatWarnings(warnings: readonly LayerWarning[]): string {
  return warnings.map(({ message }) => `WARNING: ${message}`).join("\n");
}
