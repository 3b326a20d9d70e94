import { canonicalJson } from "../../shared/json.ts";
import type { FinishedCall } from "./run-tool-calls.ts";

const REPEATS = 3;

/** Notices a model that makes the same call again and again and learns nothing from it. */
export class RepetitionGuard {
  #last = "";
  #count = 0;

  /** Name of the tool that was called three times in a row with the same result. */
  findRepeated(calls: readonly FinishedCall[]): string | undefined {
    for (const { call, comparableText } of calls) {
      const key = canonicalJson([call.name, call.input, comparableText]);
      this.#count = key === this.#last ? this.#count + 1 : 1;
      this.#last = key;
      if (this.#count >= REPEATS) return call.name;
    }
    return undefined;
  }

  reset(): void {
    this.#last = "";
    this.#count = 0;
  }
}
