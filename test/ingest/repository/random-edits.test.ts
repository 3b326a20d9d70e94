// @module-tag long: random edits in three clones.
import { expect, it } from "vitest";
import { createSeededRandom, makeRandomEdits } from "./random-edits.ts";

it("random edits in three clones converge without loss", async () => {
  const { alive, texts, marked } = await makeRandomEdits(60, createSeededRandom(7));
  const [ada = [], bruno, carla] = texts.values();
  expect(marked).toBeGreaterThan(0);
  expect(ada).toEqual(expect.arrayContaining([...alive]));
  expect(bruno).toEqual(ada);
  expect(carla).toEqual(ada);
}, 120_000);
