import { vi } from "vitest";
import { patiently } from "./patiently.ts";

/** Waits for a fact, and fails where it does not come to pass; looked at every few milliseconds. */
export async function until(isSo: () => boolean): Promise<void> {
  await vi.waitUntil(isSo, { interval: 10, timeout: patiently(15_000) });
}
