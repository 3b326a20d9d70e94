import { expect, it } from "vitest";
import { WaitingRecalls } from "../../../src/memory/search/shared-batch.ts";

const never = new Promise<never>(() => {});

function block(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

it("ends concurrent waits in time after a blocked event loop", async () => {
  const waiting = new WaitingRecalls(100);
  const wait = () =>
    waiting.during(async (one) => {
      // Timers start from the loop iteration's time, so this one fires early.
      block(60);
      return { given: await one.for(never, undefined), isOver: one.isOver };
    });
  expect(await Promise.all([wait(), wait()])).toEqual([
    { given: undefined, isOver: true },
    { given: undefined, isOver: true },
  ]);
});

it("ends an overdue wait once another one joins", async () => {
  const waiting = new WaitingRecalls(20);
  const begun = performance.now();
  const first = waiting.during((one) => one.for(never, undefined));
  await expect.poll(() => performance.now() - begun).toBeGreaterThan(30);
  const second = waiting.during((one) => one.for(Promise.resolve("made"), undefined));
  expect(await Promise.all([first, second])).toEqual([undefined, "made"]);
});

it("waits without a limit if it is the only one", async () => {
  const waiting = new WaitingRecalls(5);
  let make = (_made: string) => {};
  const work = new Promise<string>((resolve) => {
    make = resolve;
  });
  const begun = performance.now();
  const alone = waiting.during((one) => one.for(work, undefined));
  await expect.poll(() => performance.now() - begun).toBeGreaterThan(30);
  make("made");
  expect(await alone).toBe("made");
});
