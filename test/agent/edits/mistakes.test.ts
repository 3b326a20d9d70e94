import { afterAll, beforeAll, expect, it } from "vitest";
import { openToolBench, type ToolBench } from "../support/tool-bench.ts";
import { MISTAKES } from "./mistakes.ts";
import { tryMistake } from "./try-mistake.ts";

let bench: ToolBench;
beforeAll(async () => {
  bench = await openToolBench();
});
afterAll(() => bench.close());

it.each(MISTAKES)("$mode: $name", async (mistake) => {
  const wanted = "file" in mistake.outcome ? "applied right" : "refused helpfully";
  const { verdict, saw } = await tryMistake(bench, mistake);
  expect(verdict, saw).toBe(wanted);
});
