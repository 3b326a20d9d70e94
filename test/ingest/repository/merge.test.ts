import { expect, it } from "vitest";
import type { MemoryItem } from "../../../src/ingest/repository/merge-item.ts";
import { mergeAll, mergeItem } from "../../../src/ingest/repository/merge-item.ts";

const item = (content: string, more: Partial<MemoryItem> = {}): MemoryItem => ({
  ...{ id: "0123456789", type: "decision", content, entities: [], labels: [], disputes: [] },
  ...more,
});
const base = item("We deploy on Tuesdays", { labels: ["a=1"], entities: ["project:shop"] });

it("merges changes of different fields", () => {
  const text = { ...base, content: "We deploy on Wednesdays" };
  const labels = { ...base, labels: ["b=2"], entities: ["project:Shop", "tool:ci"] };
  expect(mergeItem(base, [text, labels])).toEqual([
    {
      ...base,
      content: "We deploy on Wednesdays",
      labels: ["b=2"],
      entities: ["project:Shop", "tool:ci"],
    },
  ]);
});

it("keeps two different statements with equal ids in every clone", () => {
  const [mine, theirs] = [
    { ...base, content: "We deploy on Wednesdays" },
    { ...base, content: "We deploy on Fridays" },
  ];
  const merged = mergeItem(base, [mine, theirs]);
  expect(merged.map(({ content }) => content).sort()).toEqual([theirs.content, mine.content]);
  expect(merged[1]?.disputes).toEqual([base.id]);
  expect(mergeItem(base, [theirs, mine])).toEqual(merged);
});

it("a change wins over a deletion", () => {
  const changed = { ...base, content: "We deploy on Wednesdays" };
  expect(mergeItem(base, [changed, null])).toEqual([changed]);
  expect(mergeItem(base, [null, base])).toEqual([]);
});

it("a checkout of another branch deletes nothing that branch never had", () => {
  const sides = {
    base: new Map([[base.id, base]]),
    memory: new Map([[base.id, base]]),
    files: new Map(),
  };
  expect(mergeAll({ ...sides, fork: undefined }).items.size).toBe(0);
  expect(mergeAll({ ...sides, fork: new Map() }).items.size).toBe(1);
  expect(mergeAll({ ...sides, fork: new Map([[base.id, [base]]]) }).items.size).toBe(0);
});
