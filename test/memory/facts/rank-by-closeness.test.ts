import fc from "fast-check";
import { expect, it } from "vitest";
import { rankByCloseness } from "../../../src/memory/facts/show-collisions.ts";

const ranked = (text: string, ...others: string[]) =>
  rankByCloseness(
    text,
    others.map((other, id) => ({ id, text: other })),
  ).map((statement) => statement.text);

it("ranks statements on the same subject above those that only share a name", () => {
  const order = ranked(
    "The shop keeps sessions for 600 seconds",
    "The shop is written in Go",
    "The shop keeps sessions for 300 seconds",
    "The shop deploys on Fridays",
  );
  expect(order[0]).toBe("The shop keeps sessions for 300 seconds");
});

it("weights words by rarity, so that template words do not dominate", () => {
  const modules = Array.from({ length: 30 }, (_, n) => `Module ${n} keeps ${n + 100} replicas.`);
  expect(ranked("Module 17 keeps 5 replicas.", ...modules)[0]).toBe(
    "Module 17 keeps 117 replicas.",
  );
});

it("sorts ties newest first without losing any", () => {
  expect(ranked("zebra", "one", "two", "three")).toEqual(["three", "two", "one"]);
  fc.assert(
    fc.property(fc.string(), fc.array(fc.string()), (text, others) => {
      expect(ranked(text, ...others).sort()).toEqual([...others].sort());
    }),
  );
});
