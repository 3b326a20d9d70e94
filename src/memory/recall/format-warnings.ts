import type { LayerWarning } from "./recall.schema.ts";

/** Formats one line per layer that failed to respond. */
export function formatWarnings(warnings: readonly LayerWarning[]): string {
  return warnings.map(({ message }) => `WARNING: ${message}`).join("\n");
}
