import { yieldToEventLoop } from "./abort.ts";

/** Writing so many rows takes about 10 ms. */
const OF_A_TURN = 250;

/**
 * Runs `body` on slices of at most 250 items, in order. Between them timers, sockets and other work
 * of this process get a turn.
 */
export async function inTurns<Item>(
  items: readonly Item[],
  body: (slice: readonly Item[]) => PromiseLike<void>,
): Promise<void> {
  for (let start = 0; start < items.length; start += OF_A_TURN) {
    if (start > 0) await yieldToEventLoop();
    await body(items.slice(start, start + OF_A_TURN));
  }
}
