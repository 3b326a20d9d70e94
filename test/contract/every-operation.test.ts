import { expect, it } from "vitest";
import { createOperations } from "../../src/memory/index.ts";
import { scenario } from "./scenario.ts";

it("covers every operation on every surface: add a step to scenario.ts for a new one", () => {
  const requested = new Set(scenario.map(({ operation }) => operation));
  const missing = [...createOperations().keys()].filter((name) => !requested.has(name));
  expect(missing).toEqual([]);
});
