import { setTimeout as pause } from "node:timers/promises";

export interface Waiting {
  /** How long to wait on a quiet machine, milliseconds. */
  readonly limitMs?: number;
  /** How often to look, milliseconds. */
  readonly everyMs?: number;
  /** What there is instead, for the error. */
  readonly otherwise?: () => string;
}

/** Waits for a fact, and fails where it does not come to pass. */
export async function until(
  isSo: () => boolean | Promise<boolean>,
  { limitMs = 15_000, everyMs = 10, otherwise = () => String(isSo) }: Waiting = {},
): Promise<void> {
  const deadline = performance.now() + limitMs;
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error(`It did not come to pass: ${otherwise()}`);
    await pause(everyMs);
  }
}
