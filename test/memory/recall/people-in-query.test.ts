import { describe, expect, it } from "vitest";
import { findSecondaryPeople, removePeople } from "../../../src/memory/recall/prepare-recall.ts";
import { createTestMemory } from "../../support/test-memory.ts";

const person = (name: string, id = 1) => ({ id, type: "person", name, key: name, createdAt: "" });

describe("a query without the names of people", () => {
  it("drops whole names and their possessive, case-insensitively", () => {
    expect(removePeople("When did ada's team meet Adam?", [person("Ada")])).toBe(
      "When did  team meet Adam?",
    );
    expect(removePeople("Ask Ada  Lovelace now", [person("Ada Lovelace")])).toBe("Ask  now");
  });

  it("is unchanged if nothing else remains or no person is named", () => {
    expect(removePeople("Who is Ada?", [person("Ada")])).toBe("Who is Ada?");
    expect(removePeople("redis cache", [{ ...person("redis"), type: "tool" }])).toBe("redis cache");
  });

  it("treats special characters in names literally", () => {
    expect(removePeople("Does J.R. (Bob) row?", [person("J.R. (Bob)")])).toBe(
      "Does J.R. (Bob) row?".replace("J.R. (Bob)", ""),
    );
  });
});

describe("people whom a query mentions secondarily", () => {
  const named = [person("Ada", 1), person("Bob Ray", 2), person("Carl", 3)];

  it.each([
    ["What did Ada tell Bob Ray about Carl?", [2, 3]],
    ["What does bob  ray say about Ada's shop?", [1]],
    ["What did Ada and Bob Ray tell Carl?", [3]],
    ["Haben Ada, Carl und Bob Ray gestritten?", []],
    ["Did Ada tell Carl what Ada and Carl had said?", [3]],
    ["Where is Carl?", []],
    ["Where is the shop?", []],
  ])("of %j are those after the ones that it is about", (query, aside) => {
    const people = named.filter(({ name }) =>
      query.toLowerCase().includes(name.slice(0, 3).toLowerCase()),
    );
    expect(findSecondaryPeople(query, people)).toEqual(aside);
  });

  it("may be far apart in the query", () => {
    const query = `Ada ${" ".repeat(200_000)} tell Carl`;
    expect(findSecondaryPeople(query, named)).toEqual([3]);
  });

  it("are only people", () => {
    const billing = { ...person("billing", 4), type: "module" };
    expect(findSecondaryPeople("What did Ada do in billing?", [person("Ada"), billing])).toEqual(
      [],
    );
  });

  it("have half the weight of the main person", async () => {
    await using t = createTestMemory();
    await t.call("remember", { content: "I sell shoes now", entities: ["person:Ada"] });
    await t.call("remember", { content: "I sell shoes now", entities: ["person:Bob"] });
    const sharesOf = async (query: string) => {
      const { episodes } = await t.call("recall", { min_score: 0, query, explain: true });
      return episodes.map(({ id, explain }) => [id, explain?.entity]);
    };
    expect(await sharesOf("what did Ada tell Bob of shoes?")).toEqual([
      ["ep:1", 1],
      ["ep:2", 0.5],
    ]);
    expect(await sharesOf("what did Bob tell Ada of shoes?")).toEqual([
      ["ep:2", 1],
      ["ep:1", 0.5],
    ]);
    expect(await sharesOf("what of shoes do Ada and Bob say?")).toEqual([
      ["ep:2", 1],
      ["ep:1", 1],
    ]);
  });

  it("have full weight if the search is restricted to them", async () => {
    await using t = createTestMemory();
    await t.call("remember", { content: "I sell shoes", entities: ["person:Ada", "person:Bob"] });
    await t.call("remember", { content: "I sell shoes now", entities: ["person:Bob"] });
    const { episodes } = await t.call("recall", {
      min_score: 0,
      query: "what did Ada tell Bob of shoes?",
      entity: "person:Bob",
      explain: true,
    });
    expect(episodes.map(({ explain }) => explain?.entity)).toEqual([1, 1]);
  });
});
