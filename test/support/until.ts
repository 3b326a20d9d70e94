import { setTimeout as pause } from "node:timers/promises";

export interface Waiting {
  /** Timeout in milliseconds. */
  readonly limitMs?: number;
  /** Polling interval in milliseconds. */
  readonly everyMs?: number;
  /** Describes the actual state for the error message. */
  readonly otherwise?: () => string;
}

/** Polls until a condition is true; throws after the timeout. */
export async function until(
  isSo: () => boolean | Promise<boolean>,
  { limitMs = 30_000, everyMs = 10, otherwise = () => String(isSo) }: Waiting = {},
): Promise<void> {
  const deadline = performance.now() + limitMs;
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error(`Timed out: ${otherwise()}`);
    await pause(everyMs);
  }
}
