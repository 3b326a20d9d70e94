import type { LayerWarning } from "./recall.schema.ts";

export function formatWarnings(warnings: readonly LayerWarning[]): string {
  return warnings.map(({ message }) => `WARNING: ${message}`).join("\n");
}
