import { expect, it } from "vitest";
import { expectDefined, itemAt } from "../../support/defined.ts";
import { createTestMemory } from "../../support/test-memory.ts";

interface Node {
  id: string;
  hops: number;
  degree: number;
  folded: number;
}
interface Edge {
  source: string;
  target: string;
  kind: string;
  type: string;
}

async function graph() {
  const t = createTestMemory();
  await t.apply(
    'remember as=a e=tool:node occurred_at=2026-01-01 "We build with Node"',
    'remember as=old t=fact e=tool:cache occurred_at=2026-01-02 "The timeout is 10 seconds"',
    'remember as=new t=fact e=tool:cache occurred_at=2026-03-02 "The timeout is 30 seconds"',
    'concept as=one title="One" from=$a "first"',
    'concept as=two title="Two" from=$a "second"',
    'concept as=three title="Three" from=$a "third"',
    "link from=$one to=$two type=implies",
    "link from=$two to=$three type=implies",
    "evidence concept=$two episode=$new type=supports strength=0.9",
    "entity_relation source=tool:node target=tool:cache relation=uses",
  );
  const { concepts } = await t.call("list_concepts", {});
  const id = (title: string): string =>
    expectDefined(concepts.find((concept: { title: string }) => concept.title === title)).id;
  return { t, id };
}

const shown = (nodes: readonly Node[]) => nodes.map(({ id, hops }) => `${id} ${hops}`);
const drawn = (edges: readonly Edge[]) =>
  edges.map(({ source, target, kind, type }) => `${source} ${kind}/${type} ${target}`).sort();

it("shows concepts, episodes and entities around a concept, with every edge between them", async () => {
  const { t, id } = await graph();
  await using _t = t;
  const { center, nodes, edges } = await t.call("graph_neighbourhood", { center: id("One") });
  expect(center).toBe(id("One"));
  expect(shown(nodes)).toEqual([`${id("One")} 0`, `${id("Two")} 1`, "ep:1 1"]);
  expect(drawn(edges)).toEqual(
    [
      `${id("One")} relation/implies ${id("Two")}`,
      `${id("One")} source/source ep:1`,
      `${id("Two")} source/source ep:1`,
    ].sort(),
  );
  expect(nodes.map(({ degree, folded }: Node) => [degree, folded])).toEqual([
    [2, 0],
    [4, 2],
    [4, 2],
  ]);
});

it("respects the requested depth and edge kinds", async () => {
  const { t, id } = await graph();
  await using _t = t;
  const input = { center: id("One"), depth: 2, kinds: "concept" };
  const { nodes } = await t.call("graph_neighbourhood", input);
  expect(shown(nodes)).toEqual([`${id("One")} 0`, `${id("Two")} 1`, `${id("Three")} 2`]);
  const alone = await t.call("graph_neighbourhood", { ...input, depth: 0 });
  expect(alone).toMatchObject({ nodes: [{ degree: 1, folded: 1 }], edges: [] });
});

it("begins at an entity, a fact, or the strongest concepts", async () => {
  const { t, id } = await graph();
  await using _t = t;
  const entity = await t.call("graph_neighbourhood", { center: "TOOL:Node" });
  expect(shown(entity.nodes)).toEqual(["tool:node 0", "ep:1 1", "tool:cache 1"]);
  const fact = await t.call("graph_neighbourhood", { center: "fact:2" });
  expect(fact.center).toBe("ep:3");
  const strongest = await t.call("graph_neighbourhood", { kinds: "concept" });
  expect(strongest.center).toBeNull();
  expect(strongest.nodes.map((node: Node) => node.id)).toEqual(
    expect.arrayContaining([id("One"), id("Two"), id("Three")]),
  );
});

it("shows the state at a point in time", async () => {
  await using t = createTestMemory();
  await t.apply(
    'remember t=fact e=tool:cache occurred_at=2026-01-02 "The timeout is 10 seconds"',
    'remember t=fact e=tool:cache occurred_at=2026-03-02 "The timeout is 30 seconds"',
    "supersede old=fact:1 new=fact:2",
  );
  const { items } = await t.call("items", { kinds: "concept" });
  const seenAt = async (valid_at: string) => {
    const { edges } = await t.call("graph_neighbourhood", {
      center: itemAt(items, 0).id,
      valid_at,
    });
    return drawn(edges).map((line) => line.replace(itemAt(items, 0).id, "cluster"));
  };
  expect(await seenAt("2026-02-01")).toEqual(["cluster fact/superseded ep:1"]);
  // The cluster's own validity starts when its first fact is written, which is now.
  expect(await seenAt("2030-01-01")).toEqual(["cluster fact/active ep:2"]);
});

it("folds a hub and counts hidden neighbours", async () => {
  await using t = createTestMemory();
  const lines = Array.from({ length: 40 }, (_, n) => `remember e=tool:hub "number ${n}"`);
  await t.apply(...lines);
  const { nodes, edges } = await t.call("graph_neighbourhood", { center: "tool:hub" });
  expect(nodes).toHaveLength(25);
  expect(edges).toHaveLength(24);
  expect(nodes[0]).toMatchObject({ id: "tool:hub", degree: 40, folded: 16 });
  expect(itemAt(nodes, 1).id).toBe("ep:40");
});

it("omits deleted items and reports unknown ids", async () => {
  const { t, id } = await graph();
  await using _t = t;
  await t.apply("delete id=ep:1");
  const { nodes } = await t.call("graph_neighbourhood", { center: id("One") });
  expect(shown(nodes)).toEqual([`${id("One")} 0`, `${id("Two")} 1`]);
  expect((await t.failure("graph_neighbourhood", { center: "ep:1" })).code).toBe("not_found");
  expect((await t.failure("graph_neighbourhood", { center: "tool:none" })).code).toBe("not_found");
  expect((await t.failure("graph_neighbourhood", { limit: 5_001 })).code).toBe("invalid_input");
});

it("is empty for an empty memory", async () => {
  await using t = createTestMemory();
  expect(await t.call("graph_neighbourhood", {})).toEqual({ center: null, nodes: [], edges: [] });
});

it("starts with the most mentioned entities if there are no concepts", async () => {
  await using t = createTestMemory();
  await t.apply(
    'remember e=tool:node,tool:cache "One"',
    'remember e=tool:node "Two"',
    "entity_relation source=tool:node target=tool:cache relation=uses",
  );
  const { center, nodes, edges } = await t.call("graph_neighbourhood", { kinds: ["entity"] });
  expect(center).toBeNull();
  expect(shown(nodes).sort()).toEqual(["tool:cache 0", "tool:node 0"]);
  expect(drawn(edges)).toEqual(["tool:node entity/uses tool:cache"]);
});

it("fills a large map with the most mentioned entities and strongest concepts", async () => {
  const { t, id } = await graph();
  await using _t = t;
  await t.apply('remember "Apart from the others." entities=tool:alone');
  const titles = async (limit: number) =>
    (await t.call("graph_neighbourhood", { depth: 0, limit })).nodes.map(({ id: node }) => node);
  expect(await titles(150)).not.toContain("tool:alone");
  expect(await titles(2_000)).toEqual(expect.arrayContaining([id("One"), "tool:alone"]));
});
