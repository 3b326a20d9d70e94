import { toTimestamp } from "../shared/clock.ts";
import { invalidInput } from "../shared/errors.ts";

const UNIT_MS = { h: 3_600_000, d: 86_400_000 } as const;

/** When a token ends that is made now `--expires 30d`. Throws invalid_input. */
export function tokenEnd(expires: string, now: Date): string {
  const [, count = "", unit = ""] = /^([1-9]\d{0,4})([hd])$/.exec(expires) ?? [];
  const unitMs = unit === "h" || unit === "d" ? UNIT_MS[unit] : undefined;
  if (unitMs === undefined) {
    throw invalidInput("expires: must be hours or days from now, such as 12h or 30d");
  }
  return toTimestamp(new Date(now.getTime() + Number(count) * unitMs));
}
