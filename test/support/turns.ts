import { setImmediate } from "node:timers/promises";

/** Counts the turns of the event loop while `body` runs. `turn` tells the number of the present one. */
export async function countingTurns<T>(body: (turn: () => number) => Promise<T>): Promise<T> {
  let turn = 0;
  const beside = { go: true };
  const counting = (async () => {
    while (beside.go) {
      await setImmediate();
      turn += 1;
    }
  })();
  try {
    return await body(() => turn);
  } finally {
    beside.go = false;
    await counting;
  }
}
