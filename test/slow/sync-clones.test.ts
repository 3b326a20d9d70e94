import { expect, it } from "vitest";
import { createSeededRandom, makeRandomEdits } from "../ingest/repository/random-edits.ts";

it.each([1, 2, 3])(
  "of 500 edits at random in three clones (seed %i) none is lost",
  async (seed) => {
    const { alive, texts, marked } = await makeRandomEdits(500, createSeededRandom(seed));
    const [ada = [], bruno, carla] = texts.values();
    console.log(`${alive.length} alive, ${ada.length} held, ${marked} files with marks of git`);
    expect(ada).toEqual(expect.arrayContaining([...alive]));
    expect(bruno).toEqual(ada);
    expect(carla).toEqual(ada);
  },
  600_000,
);
