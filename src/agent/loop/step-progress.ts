import type { AgentEventBody } from "../ports/events.ts";

/** Between two lines about the same; a screen draws no more often, and a client reads no more. */
const PAUSE_MS = 200;

/** Tells what goes on in a step before anything is said or done: thoughts, and calls on their way. */
export class StepProgress {
  readonly #emit: (event: AgentEventBody) => void;
  #thought = "";
  #thoughtAt = Number.NEGATIVE_INFINITY;
  #callAt = Number.NEGATIVE_INFINITY;
  #call: { readonly name: string; readonly size: number } | undefined;

  constructor(emit: (event: AgentEventBody) => void) {
    this.#emit = emit;
  }

  think(text: string): void {
    this.#thought += text;
    if (performance.now() - this.#thoughtAt >= PAUSE_MS) this.flush();
  }

  /** More of the arguments of a call has come; characters. */
  call(name: string, added: number): void {
    const before = this.#call?.name === name ? this.#call.size : 0;
    const size = before + added;
    const isNew = this.#call?.name !== name;
    this.#call = { name, size };
    // A short call is there before anybody could read that it comes.
    if (isNew) this.#callAt = performance.now();
    if (performance.now() - this.#callAt < PAUSE_MS) return;
    this.flush();
    this.#callAt = performance.now();
    this.#emit({ type: "status", phase: "calling", message: name, size });
  }

  /** What was thought and not told yet. */
  flush(): void {
    if (this.#thought === "") return;
    this.#thoughtAt = performance.now();
    this.#emit({ type: "status", phase: "thinking", message: this.#thought });
    this.#thought = "";
  }
}
