import { expect, it } from "vitest";
import { selectRarest } from "../../../src/memory/search/match-texts.ts";
import type { Term } from "../../../src/memory/search/text-query.ts";

const term = (word: string, rows: number): Term => ({ word, isBeginning: false, rows });
const TERMS = [term("drainplan", 3), term("queue", 300), term("order", 350), term("test", 9000)];

it.each([
  [{}, ["drainplan", "queue", "order"]],
  [{ rows: 400 }, ["drainplan", "queue"]],
  [{ rows: 2 }, ["drainplan"]],
])("searches by the rarest words within the read limit: %o", (limits, words) => {
  const chosen = selectRarest(TERMS, { kind: "passage", ...limits });
  expect(chosen.map(({ word }) => word)).toEqual(words);
});
