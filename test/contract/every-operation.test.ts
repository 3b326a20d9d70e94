import { expect, it } from "vitest";
import { createOperations } from "../../src/memory/index.ts";
import { scenario } from "./scenario.ts";

it("asks every operation on every surface: a new one needs a step in scenario.ts", () => {
  const asked = new Set(scenario.map(({ operation }) => operation));
  const missing = [...createOperations().keys()].filter((name) => !asked.has(name));
  expect(missing).toEqual([]);
});
