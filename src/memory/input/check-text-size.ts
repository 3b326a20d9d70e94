import { CairnError } from "../../shared/errors.ts";
import type { MemoryLimits } from "./limits.ts";

export function checkTextSize(limits: MemoryLimits, field: string, text: string): void {
  if (Buffer.byteLength(text) <= limits.contentBytes) return;
  throw new CairnError(
    "too_large",
    `${field}: must have at most ${limits.contentBytes} bytes; split it up`,
  );
}
