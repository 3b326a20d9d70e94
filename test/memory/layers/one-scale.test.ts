import { rmSync } from "node:fs";
import { expect, it, onTestFinished } from "vitest";
import { createOperations, MemoryStore } from "../../../src/memory/index.ts";
import type { RecallOutput } from "../../../src/memory/recall/recall.schema.ts";
import { silentLogger } from "../../../src/shared/logger.ts";
import { temporaryFolder } from "../../support/memory-server.ts";
import { placeAt } from "../../support/test-place.ts";
import { createWordEmbedder } from "../../support/word-embedder.ts";

/** Behind the default database; likeness is by synonyms, so that no word of a query is found. */
const LAYERS = ["team", "company"];
const SYNONYMS = [
  ["lantern", "lamp"],
  ["harbour", "port"],
  ["oil", "fuel"],
];

function layeredStore(): MemoryStore {
  const folder = temporaryFolder();
  const store = new MemoryStore({
    place: placeAt(folder),
    defaultDatabase: "default",
    operations: createOperations(),
    embedder: createWordEmbedder(SYNONYMS),
    logger: silentLogger,
    episodeTypes: [],
    layers: LAYERS,
  });
  onTestFinished(async () => {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return store;
}

function remember(store: MemoryStore, db: string, content: string, session?: string) {
  return store.open(db).execute("remember", { content, ...(session !== undefined && { session }) });
}

async function ask(store: MemoryStore, query: string, more: object = {}): Promise<RecallOutput> {
  return store.open().execute("recall", { query, ...more }, { surface: "library" });
}

it("puts a good match of a farther layer before a lesser one of the nearest", async () => {
  const store = layeredStore();
  await remember(store, "default", "The lamp of the port");
  await remember(store, "company", "Lamp fuel for that port");
  const { episodes } = await ask(store, "lantern oil harbour");
  expect(episodes[0]?.id).toBe("company/ep:1");
  const [best = 0, ...others] = episodes.map(({ score }) => score);
  for (const score of others) expect(score).toBeLessThan(best);
});

it("is as certain of a layer that knows nothing as of the one that does", async () => {
  const store = layeredStore();
  await remember(store, "default", "The fuel barrel stands behind some old sheds");
  await remember(store, "company", "Lamp fuel for that port");
  const { explain } = await ask(store, "lantern oil harbour", { explain: true });
  expect(explain?.certainty).toBe(1);
});

it("lends over a session that several layers know, and names the lender as its layer does", async () => {
  const store = layeredStore();
  await remember(store, "default", "Lamp fuel for that port", "evening");
  await remember(store, "team", "The fuel barrel stands behind some old sheds", "evening");
  await remember(store, "company", "The fuel barrel stands behind some new sheds", "morning");
  const { episodes } = await ask(store, "lantern oil harbour", { explain: true });
  const [team, company] = ["team/ep:1", "company/ep:1"].map((id) =>
    episodes.find((episode) => episode.id === id),
  );
  const lent = (episode: typeof team) =>
    episode?.explain?.contributions.filter(({ kind }) => kind === "session") ?? [];
  expect(lent(team).map(({ from }) => from)).toContain("ep:1");
  expect(lent(company).map(({ from }) => from)).toContain("company/ep:1");
  expect(team?.score).toBeGreaterThan(company?.score ?? 1);
  for (const { explain } of episodes) {
    const sum = explain?.contributions.reduce((total, { amount }) => total + amount, 0);
    expect(sum).toBeCloseTo(explain?.activation ?? -1, 4);
  }
});
