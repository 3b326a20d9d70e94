import { describe, expect, it } from "vitest";
import { expectDefined, itemAt } from "../../support/defined.ts";
import { createTestMemory, type TestMemory } from "../../support/test-memory.ts";

const claim = (test: TestMemory, content: string) =>
  test.call("remember", { content, episode_type: "fact" });

async function everything(test: TestMemory, query: string): Promise<string> {
  const answers = [
    (await test.call("recall", { query })).formatted.replace(query, ""),
    await test.call("list_concepts"),
    await test.call("graph"),
    await test.call("inspect"),
    await test.call("items", { kinds: "concept,fact,episode" }),
    await test.call("list_conflicts", { status: "all" }),
  ];
  return JSON.stringify(answers);
}

describe("a cluster title derived from a fact", () => {
  it("is updated with the fact", async () => {
    await using test = createTestMemory();
    await claim(test, "The deploy word is elderflower");
    await test.call("update_episode", { episode_id: "ep:1", content: "redacted" });
    const output = await everything(test, "elderflower");
    expect(output).not.toContain("elderflower");
    expect(output).toContain("redacted");
  });

  it("is deleted and restored with the fact", async () => {
    await using test = createTestMemory();
    await claim(test, "The deploy word is elderflower");
    await test.call("delete", { id: "ep:1" });
    expect(await everything(test, "elderflower")).not.toContain("elderflower");
    await test.call("restore", { id: "ep:1" });
    expect(await everything(test, "elderflower")).toContain("elderflower");
  });

  it("remains if the user set it", async () => {
    await using test = createTestMemory();
    const cluster_id = expectDefined(
      (await claim(test, "The deploy word is elderflower")).cluster_id,
    );
    await test.call("update_concept", { concept_id: cluster_id, title: "Passwords" });
    await test.call("delete", { id: "ep:1" });
    expect(await everything(test, "x")).toContain("Passwords");
  });

  it("is truncated at a character boundary", async () => {
    await using test = createTestMemory();
    await claim(test, `${"a".repeat(118)}😀😀😀`);
    const { concepts } = await test.call("list_concepts");
    expect(itemAt(concepts, 0).title).toBe(`${"a".repeat(118)}😀…`);
  });
});

describe("a resolved conflict", () => {
  it("does not reveal a deleted fact's text", async () => {
    await using test = createTestMemory();
    await test.apply(
      'remember as=a t=fact e=tool:x "The port is 1111"',
      'remember as=b t=fact e=tool:x "The port is 2222"',
      "conflict as=c fact_a=$a fact_b=$b severity=low",
    );
    await test.call("dismiss_conflict", { conflict_id: "conflict:1", note: "both" });
    await test.call("delete", { id: "ep:1" });
    const { conflicts } = await test.call("list_conflicts", { status: "all" });
    expect(JSON.stringify(conflicts)).not.toContain("1111");
  });
});

describe("a superseded future fact", () => {
  it("does not end before it began", async () => {
    await using test = createTestMemory();
    await test.apply(
      'remember as=a t=fact e=tool:x occurred_at=2030-01-01 "The port will be 1111"',
      'remember as=b t=fact e=tool:x "The port is 2222"',
      "supersede old=$a new=$b",
    );
    const { concepts } = await test.call("list_concepts");
    const { facts, superseded_facts } = await test.call("get_concept", {
      concept_id: itemAt(concepts, 0).id,
    });
    const all = [...expectDefined(facts), ...expectDefined(superseded_facts)];
    const old = expectDefined(all.find(({ id }) => id === "fact:1"));
    expect(expectDefined(old.valid_to) >= old.valid_from).toBe(true);
  });
});
