import { Turn } from "./turn.ts";

/** Work that pauses after each small step, so that its runner decides what happens in between. */
export type Steps<Result> = Generator<undefined, Result>;

/** Runs the steps to their end. Timers, sockets and other work of this process get turns in between. */
export async function stepByStep<Result>(steps: Steps<Result>): Promise<Result> {
  const turn = new Turn();
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    await turn.stepDone();
  }
}
