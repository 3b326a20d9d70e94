import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { PeopleTokens } from "../../../src/access/index.ts";
import { fuseByRank } from "../../../src/memory/layers/recall-layers.ts";
import { recallOutput } from "../../../src/memory/recall/recall.schema.ts";
import { type MemoryServer, serveMemory } from "../../support/memory-server.ts";

/** `default` is the innermost layer, then `team`, then `company`. */
const LAYERS = ["team", "company"];

let server: MemoryServer;

beforeAll(async () => {
  server = await serveMemory({ layers: LAYERS });
  await remember("default", "I release in the evening, since nobody watches");
  await remember("team", "The team has a release on Tuesdays");
  await remember("team", "A release needs two reviews");
  await remember("company", "A release needs two reviews");
  await remember("company", "No release is made in December");
  await remember("elsewhere", "Their release is nobody's business");
});
afterAll(() => server.end());

function remember(db: string, content: string) {
  return server.store.open(db).execute("remember", { content });
}

async function ask(db: string, query: string, token?: string) {
  const answer = await fetch(`${server.url}/api/v1/query?db=${db}`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify({ query, episode_k: 20 }),
  });
  expect(answer.status).toBe(200);
  return recallOutput.parse(await answer.json());
}

it("reads all layers in one recall and names each item's layer", async () => {
  const { episodes, formatted } = await ask("default", "release");
  const found = episodes.map(({ layer, id, content }) => [layer, id, content]).sort();
  expect(found).toEqual([
    ["company", "company/ep:2", "No release is made in December"],
    ["default", "ep:1", "I release in the evening, since nobody watches"],
    ["team", "team/ep:1", "The team has a release on Tuesdays"],
    ["team", "team/ep:2", "A release needs two reviews"],
  ]);
  for (const [_layer, id] of found) expect(formatted).toContain(`${id} ·`);
});

it("ranks inner layers first among ties", async () => {
  await remember("default", "Lanterns hang in the hall of the first");
  await remember("team", "Lanterns hang in the hall of the second");
  await remember("company", "Lanterns hang in the hall of the third");
  // All three have equal scores, so the layer order decides.
  const { episodes } = await ask("default", "lanterns hall");
  const alike = episodes.filter(({ score }) => score === episodes[0]?.score);
  const order = ["default", ...LAYERS];
  const places = alike.map(({ layer = "" }) => order.indexOf(layer));
  expect(places).toEqual([...places].sort());
  expect(episodes.map(({ layer }) => layer).sort()).toEqual(["company", "default", "team"]);
});

it("does not resolve another layer's ids", async () => {
  const answer = await fetch(`${server.url}/api/v1/episodes/${encodeURIComponent("team/ep:1")}`);
  expect(answer.status).toBe(400);
});

it("reads outer layers only", async () => {
  const { episodes } = await ask("team", "release");
  expect([...new Set(episodes.map(({ layer }) => layer))].sort()).toEqual(["company", "team"]);
  const last = await ask("company", "release");
  expect(last.episodes.map(({ layer }) => layer)).toEqual([undefined, undefined]);
});

it("is the innermost layer if it is not configured as a layer", async () => {
  const { episodes } = await ask("elsewhere", "release");
  const read = episodes.map(({ layer }) => layer);
  expect([...new Set(read)].sort()).toEqual(["company", "elsewhere", "team"]);
  expect(read).toHaveLength(4);
  for (const db of ["default", ...LAYERS]) {
    expect((await ask(db, "release")).episodes.map(({ layer }) => layer)).not.toContain(
      "elsewhere",
    );
  }
});

it("skips layers that the token cannot access", async () => {
  const own = await serveMemory({ layers: LAYERS });
  onTestFinished(() => own.end());
  for (const db of ["default", ...LAYERS])
    await own.store.open(db).execute("remember", { content: `The release of ${db}` });
  const people = new PeopleTokens(own.store.tokens);
  const databases = ["default", "company"];
  const { token } = await people.create("ada", "read", { databases });
  const answer = await fetch(`${own.url}/api/v1/query`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
    body: JSON.stringify({ query: "release" }),
  });
  const { episodes } = recallOutput.parse(await answer.json());
  expect(episodes.map(({ layer }) => layer).sort()).toEqual(["company", "default"]);
});

it("orders by score, then by the ranks in all layers, then by the nearest layer", () => {
  const item = (text: string, score: number) => ({ text, score });
  const fused = fuseByRank(
    [
      [item("weak here", 0.9), item("first here", 0.5), item("second here", 0.5)],
      [item("weak here", 0.4), item("first there", 0.5), item("second here", 0.5)],
    ],
    ({ text }) => text,
  );
  expect(fused).toEqual([
    item("weak here", 0.9),
    item("second here", 0.5),
    item("first here", 0.5),
    item("first there", 0.5),
  ]);
});

it("prefixes every id of an outer layer, and nothing else", async () => {
  const own = await serveMemory({ layers: ["team"] });
  onTestFinished(() => own.end());
  const fact = { episode_type: "fact", entities: "tool:npm" };
  await own.store.open().execute("remember", { content: "Nothing of that sort" });
  await own.store.open("team").execute("remember", { content: "The shop uses npm", ...fact });
  const found = recallOutput.parse(
    await own.store
      .open()
      .execute("recall", { query: "shop npm", explain: true }, { surface: "rest" }),
  );
  expect(found.concepts).toMatchObject([
    {
      ...{ id: expect.stringMatching(/^team\/c/), layer: "team" },
      facts: [{ id: "team/fact:1", episode_id: "team/ep:1", entities: ["tool:npm"] }],
    },
  ]);
  const lenders = found.episodes.flatMap(({ explain }) =>
    (explain?.contributions ?? []).map(({ from }) => from),
  );
  expect(lenders.every((from) => /^(query|tool:npm|team\/)/.test(from))).toBe(true);
});
