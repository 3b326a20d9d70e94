import fc from "fast-check";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { PeopleTokens } from "../../../src/access/index.ts";
import { recallOutput } from "../../../src/memory/recall/recall.schema.ts";
import { type MemoryServer, memoryServer } from "../../support/memory-server.ts";
import { patiently } from "../../support/patiently.ts";

/** Mine is the default database; behind it the team's, then the company's. */
const LAYERS = ["team", "company"];

let server: MemoryServer;

beforeAll(async () => {
  server = await memoryServer({ layers: LAYERS });
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

it("reads all layers in one recall, and says of each item where it stands", async () => {
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

it("puts the nearer first where the rank is the same", async () => {
  await remember("default", "Lanterns hang in the hall of the first");
  await remember("team", "Lanterns hang in the hall of the second");
  await remember("company", "Lanterns hang in the hall of the third");
  // Alone in their layers they would rank alike, were there as much beside them.
  const { episodes } = await ask("default", "lanterns hall");
  const alike = episodes.filter(({ score }) => score === episodes[0]?.score);
  const order = ["default", ...LAYERS];
  const places = alike.map(({ layer = "" }) => order.indexOf(layer));
  expect(places).toEqual([...places].sort());
  expect(episodes.map(({ layer }) => layer).sort()).toEqual(["company", "default", "team"]);
});

it("takes an id of another layer for none of its own", async () => {
  const answer = await fetch(`${server.url}/api/v1/episodes/${encodeURIComponent("team/ep:1")}`);
  expect(answer.status).toBe(400);
});

it("reads behind the layer that is asked, and never before it", async () => {
  const { episodes } = await ask("team", "release");
  expect([...new Set(episodes.map(({ layer }) => layer))].sort()).toEqual(["company", "team"]);
  const last = await ask("company", "release");
  expect(last.episodes.map(({ layer }) => layer)).toEqual([undefined, undefined]);
  expect((await ask("elsewhere", "release")).episodes).toHaveLength(1);
});

it("reads no layer that the token does not open", async () => {
  const own = await memoryServer({ layers: LAYERS });
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

/** What a member of the team asks, who has no key to what is private. */
const WAYS_OUT = [
  "/episodes",
  "/concepts",
  "/entities",
  "/events",
  "/changes",
  "/stats",
  "/labels",
  "/topics",
  "/conflicts",
  "/graph",
  "/episodes/ep:900",
  "/entities/person%3Anobody/facts",
] as const;

it("a private text leaves by no way out of the other layers, whatever was written before", {
  timeout: patiently(120_000),
}, async () => {
  const own = await memoryServer({ layers: LAYERS });
  onTestFinished(() => own.end());
  const people = new PeopleTokens(own.store.tokens);
  const { token } = await people.create("bruno", "write", { databases: LAYERS });
  const { token: watcher } = await people.create("prometheus", "metrics");
  const send = async (path: string, key: string, init: RequestInit = {}) => {
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    const answer = await fetch(own.url + path, { ...init, headers });
    return `${answer.status} ${await answer.text()}`;
  };
  const word = fc.constantFrom("release", "review", "deploy", "server", "person:ada", "tuesday");
  const note = fc.record({
    db: fc.constantFrom("default", ...LAYERS),
    words: fc.array(word, { minLength: 1, maxLength: 5 }),
    entity: fc.constantFrom("person:ada", "file:src/a.ts", "tool:npm"),
  });
  let histories = 0;
  let seenByOwner = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(note, { minLength: 1, maxLength: 6 }), word, async (notes, query) => {
      histories += 1;
      for (const { db, words, entity } of notes) {
        const secret = db === "default" ? "QUETZALCOATL" : "shared";
        const content = `${words.join(" ")} ${secret} ${histories}`;
        await own.store.open(db).execute("remember", { content, entities: [entity] });
      }
      const body = JSON.stringify({ query: `${query} quetzalcoatl`, k: 10, episode_k: 50 });
      const asked = { method: "POST", body };
      const told = await Promise.all([
        ...["default", ...LAYERS].map((db) => send(`/api/v1/query?db=${db}`, token, asked)),
        ...LAYERS.flatMap((db) => WAYS_OUT.map((way) => send(`/api/v1${way}?db=${db}`, token))),
        ...LAYERS.map((db) => send(`/api/v1/databases/${db}/export`, token)),
        send("/api/v1/databases", token),
        send("/health", token),
        send("/metrics", watcher),
        send("/api/v1/databases/team/merge", token, { method: "POST", body: '{"from":"default"}' }),
      ]);
      // Each of them is a way that there is.
      expect(told.filter((text) => text.includes("There is nothing at"))).toEqual([]);
      // What was asked for may stand in an answer in the words in which it was asked, in small letters.
      expect(told.filter((text) => text.includes("QUETZALCOATL"))).toEqual([]);
      expect(own.logged.filter((text) => text.includes("QUETZALCOATL"))).toEqual([]);
      const mine = await own.store
        .open()
        .executeNamed(
          "recall",
          { query },
          { caller: { name: undefined, scope: "admin" }, surface: "rest" },
        );
      if (JSON.stringify(mine).includes("QUETZALCOATL")) seenByOwner += 1;
    }),
    { numRuns: 40 },
  );
  // It is there to leak: its owner is told of it.
  expect(seenByOwner).toBeGreaterThan(0);
});
