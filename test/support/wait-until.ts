import { setTimeout as pause } from "node:timers/promises";

export interface WaitOptions {
  /** Timeout in milliseconds. */
  readonly timeoutMs?: number;
  /** Polling interval in milliseconds. */
  readonly intervalMs?: number;
  /** Describes the actual state for the error message. */
  readonly describeState?: () => string;
}

/** Polls until a condition is true; throws after the timeout. */
export async function waitUntil(
  condition: () => boolean | Promise<boolean>,
  {
    timeoutMs = 30_000,
    intervalMs = 10,
    describeState = () => String(condition),
  }: WaitOptions = {},
): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`Timed out: ${describeState()}`);
    await pause(intervalMs);
  }
}
