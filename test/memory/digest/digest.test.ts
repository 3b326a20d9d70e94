import { expect, it } from "vitest";
import { testMemory } from "../../support/test-memory.ts";

const DAY = 24 * 60 * 60 * 1000;

async function week() {
  const here = testMemory();
  await here.apply(
    'remember t=fact e=tool:cache by=ada "The cache keeps entries for 600 seconds."',
    'remember t=fact e=tool:cache by=ada "The cache keeps entries for 900 seconds."',
    'remember by=ada "Not wanted."',
  );
  here.clock.advance(DAY);
  await here.call("remember", { content: "Deploys run on Tuesdays.", asserted_by: "ben" });
  await here.call("open_conflict", { fact_a: "fact:1", fact_b: "fact:2" });
  await here.call("delete", { id: "ep:3" });
  await here.call("update_episode", { episode_id: "ep:4", content: "Deploys run on Mondays." });
  here.clock.advance(DAY);
  return here;
}

it("says what was learned, changed, contradicted and forgotten yesterday, by author", async () => {
  await using here = await week();
  const { authors, since, until } = await here.call("digest");
  expect(Date.parse(until) - Date.parse(since)).toBe(DAY - 1);
  const all = (part: "learned" | "changed" | "contradicted" | "forgotten") =>
    authors.flatMap((one) => one[part].items.map(({ id }) => `${one.author} ${id}`));
  expect(all("learned")).toEqual(["ben ep:4"]);
  expect(all("changed").map((one) => one.split(" ")[1])).toEqual(["ep:4"]);
  expect(all("contradicted").map((one) => one.split(" ")[1])).toEqual(["conflict:1"]);
  expect(all("forgotten").map((one) => one.split(" ")[1])).toEqual(["ep:3"]);
  const [learned] = authors.flatMap((one) => one.learned.items);
  expect(learned).toMatchObject({ type: "observation", text: "Deploys run on Mondays." });
  expect(learned?.change).toMatch(/^change:\d+$/);
});

it("takes another time, and leaves out what was undone", async () => {
  await using here = await week();
  await here.call("remember", { content: "A slip.", asserted_by: "ben" });
  await here.call("undo", {});
  const today = await here.call("digest", { since: "today" });
  expect(today.authors).toEqual([]);
  const all = await here.call("digest", { since: "7d", limit: 1 });
  const ada = all.authors.find(({ author }) => author === "ada");
  expect(ada?.learned).toMatchObject({ count: 3, items: [{ id: "ep:3" }] });
});

it("reads as a list for people", async () => {
  await using here = await week();
  const operation = here.memory.operations.get("digest");
  const { text } = operation?.present?.(await here.call("digest")) ?? {};
  expect(text).toContain("ben, ");
  expect(text).toContain("learned 1\n    ep:4  Deploys run on Mondays.");
});
