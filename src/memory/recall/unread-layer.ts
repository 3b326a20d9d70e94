import { type ErrorCode, isCairnError } from "../../shared/errors.ts";
import type { LayerWarning } from "./recall.schema.ts";

/** Time limit of an outer layer; for recall, after the nearest layer has responded. */
export const TIMEOUT_MS = 3_000;

export function createWarning(layer: string, error: unknown): LayerWarning {
  const code: ErrorCode = isCairnError(error) ? error.code : "internal";
  const cure = ERROR_REMEDIES[code] ?? `\`cairn doctor --db ${layer}\` diagnoses it.`;
  return {
    layer,
    code,
    message: `The layer "${layer}" could not be read (${code}), so this result contains none of its items. ${cure}`,
  };
}

const ERROR_REMEDIES: { readonly [Code in ErrorCode]?: string } = {
  busy: "Try again in a moment.",
  unavailable: "Its server does not respond; `cairn doctor` reports the reason. Try again later.",
};
