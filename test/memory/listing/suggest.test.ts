import { expect, it } from "vitest";
import { itemAt } from "../../support/defined.ts";
import { createTestMemory } from "../../support/test-memory.ts";

async function values(input: object): Promise<string[]> {
  await using t = createTestMemory();
  await t.apply(
    'topic name="Deploys"',
    'remember as=a by=Ada e=tool:postgres,file:src/Pool.ts labels=area=build session=monday "We   use\nPostgres"',
    'remember t=fact by=Bo e=tool:postgres "The port is 5432"',
    'remember t=fact by=Bo e=tool:postgres,tool:redis "The port is 6432"',
    'concept title="Pool connections" from=$a labels=area=data "summary"',
    "conflict fact_a=fact:1 fact_b=fact:2",
  );
  for (let count = 4; count <= 12; count += 1) await t.call("remember", { content: `n${count}` });
  await t.apply("delete id=ep:5");
  const { suggestions } = await t.call("suggest", input);
  return suggestions.map(({ value }: { value: string }) => value);
}

it.each<[object, string[]]>([
  [{ prefix: "ep:1" }, ["ep:12", "ep:11", "ep:10", "ep:1"]],
  [{ prefix: "1", kinds: "episode" }, ["ep:12", "ep:11", "ep:10", "ep:1"]],
  [{ prefix: "ep", limit: 2 }, ["ep:12", "ep:11"]],
  [{ prefix: "ep:5" }, []],
  [{ prefix: "fact:" }, ["fact:2", "fact:1"]],
  [{ prefix: "conf" }, ["conflict:1"]],
  [{ prefix: "tool:", kinds: "entity" }, ["tool:postgres", "tool:redis"]],
  [{ prefix: "post", kinds: "entity" }, ["tool:postgres"]],
  [{ prefix: "file:src/P" }, ["file:src/Pool.ts"]],
  [{ prefix: "file:src/p" }, []],
  [{ prefix: "area", kinds: "labels" }, ["area=build", "area=data"]],
  [{ prefix: "area=b" }, ["area=build"]],
  [{ prefix: "dep" }, ["deploys"]],
  [{ prefix: "a", kinds: "author" }, ["Ada"]],
  [{ prefix: "", kinds: "session,type" }, ["monday", "observation", "fact"]],
  [{ prefix: "%", kinds: "entity,label,author" }, []],
])("suggests for %j", async (input, expected) => {
  expect(await values(input)).toEqual(expected);
});

it("finds a concept by title words and describes an id in one line", async () => {
  await using t = createTestMemory();
  await t.apply(
    'remember as=a "We   use\nPostgres"',
    'concept title="Pool connections" from=$a "s"',
  );
  const { suggestions } = await t.call("suggest", { prefix: "conn" });
  expect(suggestions).toEqual([
    { value: expect.stringMatching(/^c/), kind: "concept", detail: "Pool connections" },
  ]);
  expect(itemAt((await t.call("suggest", { prefix: "ep:" })).suggestions, 0).detail).toBe(
    "We use Postgres",
  );
});

it("ignores deleted items", async () => {
  await using t = createTestMemory();
  await t.apply(
    'remember t=fact e=tool:pg labels=area=build "one"',
    'remember t=fact e=tool:pg labels=area=gone "two"',
    'concept title="Gone" from=ep:1 labels=area=away "s"',
    "delete ep:2",
  );
  const { concepts } = await t.call("list_concepts", { labels: "area=away" });
  await t.call("delete", { id: itemAt(concepts, 0).id });
  const response = { kinds: "fact,entity,label" };
  expect((await t.call("suggest", response)).suggestions).toEqual([
    { value: "fact:1", kind: "fact", detail: "one" },
    { value: "tool:pg", kind: "entity", detail: "1 episode" },
    { value: "area=build", kind: "label", detail: "1" },
  ]);
  const newest = { kinds: "fact", limit: 1 };
  expect((await t.call("suggest", newest)).suggestions).toMatchObject([{ value: "fact:1" }]);
});
