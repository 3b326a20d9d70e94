import { canonicalJson } from "../../shared/json.ts";
import type { FinishedCall } from "./run-tool-calls.ts";

const REPEATS = 3;
const MAX_CYCLE_LENGTH = 4;

/** Detects calls that repeat with the same arguments and results: identical, or in a cycle such as A, B, A, B. */
export class RepetitionGuard {
  /** The latest calls, newest last. */
  #keys: string[] = [];

  /** Name of a tool of the cycle that was repeated three times; a cycle of two or more needs four. */
  findRepeated(calls: readonly FinishedCall[]): string | undefined {
    for (const { call, comparableText } of calls) {
      this.#keys.push(canonicalJson([call.name, call.input, comparableText]));
      this.#keys = this.#keys.slice(-MAX_CYCLE_LENGTH * (REPEATS + 1));
      for (let length = 1; length <= MAX_CYCLE_LENGTH; length += 1) {
        if (this.#isCycle(length, length === 1 ? REPEATS : REPEATS + 1)) return call.name;
      }
    }
    return undefined;
  }

  reset(): void {
    this.#keys = [];
  }

  #isCycle(length: number, repeats: number): boolean {
    const start = this.#keys.length - length * repeats;
    if (start < 0) return false;
    return this.#keys.every((key, at) => at < start + length || key === this.#keys[at - length]);
  }
}
