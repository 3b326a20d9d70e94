// @module-tag long: random edits in three clones.
import { expect, it } from "vitest";
import { editAtRandom, seeded } from "./random-edits.ts";

it("of edits at random in three clones, merged by git and by sync, none is lost and all end alike", async () => {
  const { alive, texts, marked } = await editAtRandom(90, seeded(7));
  const [ada = [], bruno, carla] = texts.values();
  expect(marked).toBeGreaterThan(0);
  expect(ada).toEqual(expect.arrayContaining([...alive]));
  expect(bruno).toEqual(ada);
  expect(carla).toEqual(ada);
}, 120_000);
