import { describe, expect, it } from "vitest";
import { expectDefined } from "../../support/defined.ts";
import { createTestMemory } from "../../support/test-memory.ts";

interface Identified {
  readonly id: string;
}

describe("an entity with very many concepts", () => {
  it("lists them newest first across several statements", {
    tags: ["long"],
  }, async () => {
    await using t = createTestMemory();
    await t.apply(
      'remember e=tool:cache "seen"',
      ...Array.from({ length: 520 }, (_, n) => `concept title="Concept ${n}" from=ep:1`),
    );
    const { concepts } = await t.call("entity_concepts", { entity_id: "tool:cache" });
    const titles = concepts.map(({ title }: { title: string }) => title);
    expect(titles).toEqual(Array.from({ length: 520 }, (_, n) => `Concept ${519 - n}`));
  });
});

describe("the entity scope of a snapshot", () => {
  it("returns each cluster with its active facts", async () => {
    await using t = createTestMemory();
    await t.apply(
      'remember t=fact e=tool:cache "TTL is 300"',
      'remember as=new t=fact e=tool:cache "TTL is 600"',
      'remember t=fact e=tool:cache,file:a,file:b "Set up in a and b"',
      'remember as=gone t=fact e=tool:cache "TTL is 900"',
      "supersede old=fact:1 new=$new",
      "delete $gone",
    );
    const key = "entity:tool:cache";
    const section = expectDefined((await t.call("snapshot", { scopes: [key] }))[key]);
    const clusters = section.fact_clusters as { facts: Identified[] }[];
    const facts = clusters.map((cluster) => cluster.facts.map(({ id }) => id));
    expect(facts).toEqual([["fact:3"], ["fact:2"]]);
  });
});
