import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createOperations } from "../../../src/memory/index.ts";
import { Overruling } from "../../../src/memory/learned/overruling.ts";
import type { RecallOutput } from "../../../src/memory/recall/recall.schema.ts";
import { type MemoryServer, memoryServer } from "../../support/memory-server.ts";

let server: MemoryServer;

beforeEach(async () => {
  server = await memoryServer({ layers: ["team", "company"] });
});
afterEach(() => server.end());

function fact(db: string, content: string, entities = "project:shop") {
  return server.store.open(db).execute("remember", { content, episode_type: "fact", entities });
}

async function ask(query: string, more: object = {}): Promise<RecallOutput> {
  const caller = { name: undefined, scope: "admin" } as const;
  const found = await server.store
    .open()
    .executeNamed("recall", { query, ...more }, { caller, surface: "mcp" });
  // Declared as the output of recall.
  return found as RecallOutput;
}

it("puts the nearer fact first and flags the farther one, which stays as it is", async () => {
  await fact("team", "Deploys of the shop are on Fridays, deploys are announced");
  await fact("team", "Deploys of the shop are on Fridays");
  await fact("company", "Deploys of the shop are on Tuesdays");
  await fact("default", "Deploys of the shop are on Mondays");
  const found = await ask("when are deploys of the shop on fridays?");
  const order = found.episodes.map(({ id }) => id);
  const flags = Object.fromEntries(found.episodes.map((it) => [it.id, it.overruled_by]));
  expect(flags["ep:1"]).toBeUndefined();
  expect(flags["team/ep:2"]).toBe("ep:1");
  expect(flags["company/ep:1"]).toBe("ep:1");
  expect(order.indexOf("ep:1")).toBeLessThan(order.indexOf("team/ep:2"));
  expect(order.indexOf("ep:1")).toBeLessThan(order.indexOf("company/ep:1"));
  expect(found.contradictions).toContainEqual({
    nearer: { id: "ep:1", layer: "default", text: "Deploys of the shop are on Mondays" },
    farther: { id: "team/ep:2", layer: "team", text: "Deploys of the shop are on Fridays" },
  });
  const { text = "" } = createOperations().get("recall")?.present?.(found) ?? {};
  expect(text).toMatch(/team\/ep:2 .*overruled by ep:1/);
  const own = await server.store.open("team").execute("recall", { query: "deploys shop" });
  expect(JSON.stringify(own)).not.toContain("overruled");
});

it("takes the nearest that says otherwise, and none that says the same", async () => {
  await fact("company", "The cache keeps entries for 600 seconds");
  await fact("team", "The cache keeps entries for 900 seconds");
  await fact("default", "The cache keeps entries for 900 seconds");
  const { contradictions = [] } = await ask("how long does the cache keep entries?");
  expect(contradictions.map(({ nearer, farther }) => [nearer.id, farther.id])).toEqual([
    ["ep:1", "company/ep:1"],
  ]);
});

it("says so of decisions and preferences, in the line that a model reads first", async () => {
  const decide = (db: string, content: string) =>
    server.store.open(db).execute("remember", { content, episode_type: "decision" });
  await decide("team", "The shop uses npm");
  await decide("default", "The shop uses pnpm");
  const found = await ask("what does the shop use?");
  const { text = "" } = createOperations().get("recall")?.present?.(found) ?? {};
  expect(text).toMatch(/team\/ep:1 · [^\n]* · overruled by ep:1\n/);
});

it("lets a nearer fact that ceased to hold overrule nothing", async () => {
  await fact("team", "The cache keeps entries for 600 seconds");
  await fact("default", "The cache keeps entries for 900 seconds");
  await fact("default", "The cache keeps entries for 600 seconds");
  await server.store.open().execute("supersede", { old: "fact:1", new: "fact:2" });
  const { contradictions } = await ask("how long does the cache keep entries?");
  expect(contradictions).toBeUndefined();
});

it("flags the facts of a concept, too, where their episodes are not found beside it", async () => {
  await fact("team", "The cache keeps entries for 600 seconds");
  await fact("default", "The cache keeps entries for 900 seconds");
  const { concepts, formatted } = await ask("cache entries", { episode_k: 0 });
  const flags = concepts.flatMap(({ facts = [] }) => facts.map((it) => [it.id, it.overruled_by]));
  expect(Object.fromEntries(flags)).toEqual({ "fact:1": undefined, "team/fact:1": "ep:1" });
  expect(formatted).toMatch(/team\/fact:1 .*overruled by ep:1/);
});

describe("says otherwise", () => {
  const claim = (text: string, entities: string[] = []) => ({
    ...{ id: "ep:1", layer: "mine", score: 1, type: "fact" },
    ...{ text, entities },
  });
  it.each([
    ["Deploys are on Fridays", "Deploys are on Mondays", true],
    ["The timeout is 30 seconds", "The timeout is 10 seconds", true],
    ["Use pnpm for the shop, not npm", "Use npm for the shop", true],
    ["Deploys are on Fridays", "Deploys need two reviews", false],
    ["Deploys are on Fridays", "Deploys are on Fridays, since nobody watches", false],
    ["We use npm", "We use docker", false],
    ["The shop runs on Linux", "The office closes at six", false],
  ])("%s | %s: %s", (nearer, farther, isSo) => {
    expect(new Overruling().saysOtherwise(claim(nearer), claim(farther))).toBe(isSo);
  });

  it("only of what is about the same", () => {
    const [a, b] = ["Deploys are on Fridays", "Deploys are on Mondays"];
    const says = (x: string[], y: string[]) =>
      new Overruling().saysOtherwise(claim(a, x), claim(b, y));
    expect(says(["project:shop"], ["project:shop"])).toBe(true);
    expect(says(["project:shop"], ["project:orders"])).toBe(false);
    expect(says(["project:shop"], [])).toBe(false);
  });
});
