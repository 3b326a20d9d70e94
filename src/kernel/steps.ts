import { Turn } from "./turn.ts";

/** Work that pauses after each of its small steps, for whoever runs it to decide what comes between. */
export type Steps<Result> = Generator<undefined, Result>;

/** Runs the steps to their end. Between them timers, sockets and other work of this process get turns. */
export async function stepByStep<Result>(steps: Steps<Result>): Promise<Result> {
  const turn = new Turn();
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    await turn.stepDone();
  }
}
