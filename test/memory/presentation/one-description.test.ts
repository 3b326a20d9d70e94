import pc from "picocolors";
import { expect, it } from "vitest";
import { episode as episodeShape } from "../../../src/cli/render/shapes/details.ts";
import { ExportedMemory } from "../../../src/ingest/exporters/exported-memory.ts";
import { markdown } from "../../../src/ingest/exporters/formats/markdown.ts";
import {
  FIELD_DESCRIPTIONS,
  formatProperty,
  listLineProperties,
  listProperties,
} from "../../../src/memory/presentation/index.ts";
import { formatForModel } from "../../../src/server/mcp/text/model-text.ts";
import { toRecallView } from "../../../src/terminal/memory/recall-view.ts";
import { createTestMemory } from "../../support/test-memory.ts";

const PLAIN = { columns: Infinity, colors: pc.createColors(false), now: new Date("2026-02-01") };

async function shop() {
  const t = createTestMemory();
  await t.apply(
    "topic name=deploys",
    'remember as=p "The plan of the release"',
    'remember t=fact by=Ada e=tool:node,file:a.ts labels=area=build session=one topic=deploys source_ref=wiki occurred_at=2026-01-05 "The release needs Node"',
    'remember e=tool:git labels=a=b session=two source_ref=note "Cut the release"',
  );
  return t;
}

it("omits empty values and names each value", async () => {
  await using t = await shop();
  const record = await t.call("get_episode", { episode_id: "ep:2" });
  expect(listProperties(record).map(({ name, kind, values }) => [name, kind, ...values])).toEqual([
    ["fact", "fact", "fact:1"],
    ["entities", "entity", "tool:node", "file:a.ts"],
    ["labels", "label", "area=build"],
    ["source", "source", "wiki"],
    ["session", "session", "one"],
    ["topic", "topic", "deploys"],
  ]);
  expect(listLineProperties(record).flatMap(formatProperty)).toEqual([
    "by Ada",
    "wiki",
    "fact:1",
    "tool:node",
    "file:a.ts",
    "area=build",
  ]);
});

it("contains the fields that each surface shows", async () => {
  await using t = await shop();
  for (const id of ["ep:2", "ep:3"]) {
    const record = await t.call("get_episode", { episode_id: id });
    const values = listProperties(record).flatMap((property) => property.values);
    expect(values.length).toBeGreaterThan(3);
    const drawn = episodeShape.block(record, PLAIN).join("\n");
    expect(values.filter((value) => !drawn.includes(value))).toEqual([]);
    const output = formatForModel(record);
    const ofModels = listProperties(record).filter(({ kind }) => kind !== "session");
    const unseen = ofModels.flatMap(({ field, kind, values: all }) =>
      kind === "data" || all.every((value) => output.includes(value)) ? [] : [field],
    );
    expect(unseen).toEqual([]);
  }
});

it("is consistent for models, the terminal and exports", async () => {
  await using t = await shop();
  const found = await t.call("recall", { query: "Node release", k: 0, episode_k: 5 });
  const recalled = found.episodes.find(({ id }: { id: string }) => id === "ep:2");
  const words = listLineProperties(recalled ?? {}).flatMap(formatProperty);
  expect(words).toHaveLength(6);
  expect(words.filter((word) => !found.formatted.includes(word))).toEqual([]);
  const view = toRecallView("Node", found, new Date());
  expect(view.items.find(({ id }) => id === "ep:2")?.provenance).toBe("by Ada · wiki");
  const files = [];
  const options = { database: "shop", now: new Date("2026-02-01"), limit: 100 };
  for await (const file of markdown.write(new ExportedMemory(t.memory), options)) files.push(file);
  const text = files.map((file) => file.text).join("\n");
  expect(text).toContain("_(ep:2, Ada, tool:node, file:a.ts, area=build, wiki)_");
});

it("uses fields that lists and recall also load, with equal values", async () => {
  await using t = await shop();
  const record = await t.call("get_episode", { episode_id: "ep:2" });
  const { items } = await t.call("items", { kinds: "episode", by: "Ada" });
  const { episodes } = await t.call("recall", { query: "Node release" });
  const told = listLineProperties(record).map(({ field, values }) => [field, values]);
  const shown = [items[0], episodes.find(({ id }: { id: string }) => id === "ep:2")];
  for (const row of shown) {
    expect(listLineProperties(row ?? {}).map(({ field, values }) => [field, values])).toEqual(told);
  }
  const inLines = Object.entries(FIELD_DESCRIPTIONS).filter(([, { line }]) => line !== undefined);
  expect(told, "give ep:2 of this test a value for every field of a line").toHaveLength(
    inLines.length,
  );
});
