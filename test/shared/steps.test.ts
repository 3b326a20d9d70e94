import { expect, it } from "vitest";
import { runSteps, type Steps } from "../../src/shared/async.ts";

it("runs steps in order and yields in between", async () => {
  const done: string[] = [];
  function* work(): Steps<string> {
    for (const step of ["a", "b", "c"]) {
      // Longer than a time slice, so that other work runs next.
      const until = performance.now() + 20;
      while (performance.now() < until);
      done.push(step);
      yield;
    }
    return "result";
  }
  let isOver = false;
  const count = () => {
    done.push("other");
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  expect(await runSteps(work())).toBe("result");
  isOver = true;
  expect(done.filter((one) => one !== "other")).toEqual(["a", "b", "c"]);
  expect(done.slice(done.indexOf("a"), done.indexOf("c"))).toContain("other");
});

it("rethrows errors of a step", async () => {
  // biome-ignore lint/correctness/useYield: it ends before its first pause.
  function* work(): Steps<void> {
    throw new Error("broken");
  }
  await expect(runSteps(work())).rejects.toThrow("broken");
});
