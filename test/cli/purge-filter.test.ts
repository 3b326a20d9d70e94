import { expect, it } from "vitest";
import { createCliFolders, runInProcess } from "../support/run-cli.ts";

async function createFilledMemory() {
  const place = createCliFolders();
  const cairn = async (...args: string[]) => {
    const result = await runInProcess(place, args);
    expect(result).toMatchObject({ code: 0 });
    return result.stdout;
  };
  await cairn("remember", "The heron sleeps in the boathouse", "--asserted-by", "Ada");
  await cairn("remember", "The otter met Ada at noon", "--entities", "person:Ada");
  await cairn("remember", "The badger digs alone", "--labels", "area=wood");
  const stdin = 'concept title="Birds of the heron house" from=ep:1 "They sleep there."';
  expect(await runInProcess(place, ["apply"], { stdin })).toMatchObject({ code: 0 });
  return { place, cairn };
}

it("purges everything of an author and lists derived items", async () => {
  const { cairn } = await createFilledMemory();
  const output = await cairn("purge", "--by", "Ada", "--yes", "--verify");
  expect(output).toContain("Purged permanently: ep:1.");
  expect(output).toMatch(/Derived from it and still stored: \S+ “Birds of the heron house”/);
  expect(output).toContain("No bytes of it remain");
  expect(await cairn("list", "episodes")).toContain("badger");
});

it("purges items mentioning an entity, and the entity", async () => {
  const { cairn } = await createFilledMemory();
  expect(await cairn("purge", "--entity", "person:Ada", "--yes")).toContain("ep:2");
  expect(await cairn("list", "entities")).not.toContain("Ada");
});

it("purges by label; rejects ids with a filter and filters without matches", async () => {
  const { place, cairn } = await createFilledMemory();
  expect(await cairn("purge", "--label", "area=wood", "--yes")).toContain("ep:3");
  const none = await runInProcess(place, ["purge", "--label", "area=sea", "--yes"]);
  expect(none.stderr).toContain("No item matches");
  const both = await runInProcess(place, ["purge", "ep:1", "--by", "Ada", "--yes"]);
  expect(both.stderr).toContain("ids:");
});
