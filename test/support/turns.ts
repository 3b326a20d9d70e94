import { setImmediate } from "node:timers/promises";

/** Counts event loop iterations while `body` runs. `turn` returns the current number. */
export async function countTurns<T>(body: (turn: () => number) => Promise<T>): Promise<T> {
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
