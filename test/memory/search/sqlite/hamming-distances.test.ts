import { describe, expect, it } from "vitest";
import {
  computeHammingDistances,
  scalarDistances,
  vectorDistances,
} from "../../../../src/memory/search/sqlite/hamming-distances.ts";

function drawnWords(length: number): Uint32Array {
  let state = length;
  return Uint32Array.from({ length }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state ^ (state << 13) ^ (state >>> 7);
  });
}

describe("the distances of signs", () => {
  // 128 to 8 192 bits: exceeds one byte per count and one call's batch.
  for (const words of [4, 12, 32, 64, 68, 256]) {
    it(`of ${words} words equal a count of single bits`, () => {
      const places = 1030;
      const signs = drawnWords(places * words);
      const query = signs.slice(words, 2 * words);
      signs.fill(0xffff_ffff, 0, words);
      query.fill(0, 0, 1);
      const bits = (position: number) =>
        Array.from(query, (word, index) =>
          (((signs[position * words + index] ?? 0) ^ word) >>> 0).toString(2).replaceAll("0", ""),
        ).join("").length;
      const expected = Array.from({ length: places }, (_, index) => bits(index));

      const cuts = [0, 3, 500, 500, places].map((index) => index * words);
      const parts = cuts.slice(1).map((until, at) => signs.subarray(cuts[at], until));
      for (const given of [[signs], parts]) {
        expect([...scalarDistances(given, query)]).toEqual(expected);
        expect([...computeHammingDistances(words)(given, query)]).toEqual(expected);
        const byVectors = vectorDistances(words);
        expect(byVectors && [...byVectors(given, query)]).toEqual(expected);
      }
    });
  }

  it("equal the number of bits if all bits differ", () => {
    const words = 256;
    const signs = new Uint32Array(2 * words).fill(0xffff_ffff);
    expect([...computeHammingDistances(words)([signs], new Uint32Array(words))]).toEqual([
      8_192, 8_192,
    ]);
  });

  it("are computed without vector instructions if the words do not fill a vector", () => {
    expect(vectorDistances(3)).toBeUndefined();
    expect([
      ...computeHammingDistances(3)([Uint32Array.of(1, 2, 4, 0, 0, 7)], Uint32Array.of(0, 0, 0)),
    ]).toEqual([3, 3]);
  });
});
