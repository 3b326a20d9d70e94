import { afterEach, beforeEach, expect, it, onTestFinished, vi } from "vitest";
import { PeopleTokens } from "../../../src/access/index.ts";
import { PATIENCE_MS } from "../../../src/memory/recall/unread-layer.ts";
import { httpClient, textOf } from "../../server/mcp/mcp-client.ts";
import { type MemoryServer, memoryServer } from "../../support/memory-server.ts";

let server: MemoryServer;

beforeEach(async () => {
  server = await memoryServer({ layers: ["team", "company"] });
});
afterEach(() => server.end());

type Kind = "fact" | "decision" | "preference" | "observation";

const say = (db: string, content: string, episode_type: Kind = "fact") =>
  server.store.open(db).execute("remember", { content, episode_type });

const between = async (db = "default") =>
  (await server.store.open(db).execute("contradictions", {})).contradictions.map(
    ({ nearer, farther }) => [nearer.id, farther.id],
  );

it.each(["fact", "decision", "preference"] as const)(
  "finds at the writing that a %s says otherwise than a farther layer, and says so",
  async (kind) => {
    await say("team", "The shop uses npm", kind);
    await say("company", "The office closes at six", kind);
    const { id, contradicts } = await say("default", "The shop uses pnpm", kind);
    expect(contradicts).toEqual(["team/ep:1"]);
    const { contradictions } = await server.store.open().execute("contradictions", {});
    expect(contradictions).toMatchObject([
      {
        layer: "team",
        nearer: { id, content: "The shop uses pnpm" },
        farther: { id: "team/ep:1", content: "The shop uses npm" },
      },
    ]);
  },
);

it("finds none where the same is said, another thing, or nothing that holds", async () => {
  await say("team", "Deploys are on Mondays");
  expect(await say("default", "Deploys are on Mondays")).not.toHaveProperty("contradicts");
  expect(await say("default", "Deploys need two reviews")).not.toHaveProperty("contradicts");
  const seen = await say("default", "Deploys are on Fridays", "observation");
  expect(seen).not.toHaveProperty("contradicts");
  expect(await between()).toEqual([]);
});

it("leaves the farther layer as it is, which learns nothing", async () => {
  await say("team", "Deploys are on Mondays");
  const team = server.store.open("team");
  const before = JSON.stringify([
    await team.execute("events", {}),
    await team.execute("stats", {}),
  ]);
  await say("default", "Deploys are on Fridays, says QUETZALCOATL", "fact");
  await say("default", "Deploys are on Fridays");
  expect(await between()).not.toEqual([]);
  expect(JSON.stringify([await team.execute("events", {}), await team.execute("stats", {})])).toBe(
    before,
  );
  expect((await team.execute("list_conflicts", {})).conflicts).toEqual([]);
  expect(await between("team")).toEqual([]);
});

it("is decided in the farther layer once it was promoted, decisions and preferences too", async () => {
  await say("team", "The shop uses npm", "decision");
  const { id } = await say("default", "The shop uses pnpm", "decision");
  const { conflicts } = await server.store.open().execute("promote", { id, to: "team" });
  expect(conflicts).toEqual(["team/conflict:1"]);
  expect(await between()).toEqual([]);
  const team = server.store.open("team");
  const [open] = (await team.execute("list_conflicts", {})).conflicts;
  expect([open?.fact_a.statement, open?.fact_b.statement]).toEqual([
    "The shop uses npm",
    "The shop uses pnpm",
  ]);
  const copy = await team.execute("get_episode", { episode_id: open?.fact_b.episode_id ?? "" });
  expect(copy.labels).toEqual([]);
});

it("holds what is promoted against the layers behind that one", async () => {
  await say("company", "The shop uses npm", "decision");
  const { id } = await say("default", "The shop uses pnpm", "decision");
  await server.store.open().execute("promote", { id, to: "team" });
  expect(await between()).toEqual([[id, "company/ep:1"]]);
  expect(await between("team")).toEqual([["ep:1", "company/ep:1"]]);
});

it("is over where either ceases to hold, says something else, or somebody leaves it at that", async () => {
  await say("team", "Deploys are on Mondays");
  const { id } = await say("default", "Deploys are on Fridays");
  const mine = server.store.open();
  expect(await between()).toEqual([[id, "team/ep:1"]]);
  await mine.execute("update_episode", { episode_id: id, content: "Deploys are on Mondays" });
  expect(await between()).toEqual([]);
  await mine.execute("update_episode", { episode_id: id, content: "Deploys are on Thursdays" });
  expect(await between()).toEqual([[id, "team/ep:1"]]);
  await server.store.open("team").execute("delete", { id: "ep:1" });
  expect(await between()).toEqual([]);
});

it("is found in a changeset, in what was learned and in what was proposed, in one change", async () => {
  await say("team", "The cache keeps entries for 600 seconds");
  const mine = server.store.open();
  const content = "The cache keeps entries for 900 seconds";
  await mine.execute("apply", {
    changeset: JSON.stringify([{ op: "remember", content, episode_type: "fact" }]),
  });
  expect(await between()).toEqual([["ep:1", "team/ep:1"]]);
  await mine.execute("undo", {});
  expect(await between()).toEqual([]);
  const claim = { content, episode_type: "fact" };
  await mine.execute("keep_learned", { claims: [claim] });
  expect(await between()).toHaveLength(1);
  await mine.execute("undo", {});
  const { id } = await mine.execute("propose", claim);
  expect(await between()).toEqual([]);
  await mine.execute("accept_proposal", { proposal_id: id });
  expect(await between()).toHaveLength(1);
});

it("tells whoever may read the nearer layer alone nothing of the farther one", async () => {
  const people = new PeopleTokens(server.store.tokens);
  const { token: ofMine } = await people.create("ada", "write", { databases: ["default"] });
  const { token: ofBoth } = await people.create("carla", "write", {
    databases: ["default", "team"],
  });
  await say("team", "Deploys are on Mondays");
  const rest = async (token: string, path: string, body?: object) => {
    const answer = await fetch(`${server.url}/api/v1${path}`, {
      method: body === undefined ? "GET" : "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return answer.text();
  };
  const fact = { content: "Deploys are on Fridays", episode_type: "fact" };
  expect(await rest(ofMine, "/episodes", fact)).not.toContain("team");
  expect(await rest(ofBoth, "/episodes", fact)).toContain('"contradicts":["team/ep:1"]');
  expect(await rest(ofMine, "/contradictions")).not.toContain("Mondays");
  expect(await rest(ofBoth, "/contradictions")).toContain("Mondays");
});

it("is a tool, too", async () => {
  await say("team", "Deploys are on Mondays");
  await say("default", "Deploys are on Fridays");
  const { client } = await httpClient(`${server.url}/mcp?tools=all`);
  const told = textOf(await client.callTool({ name: "contradictions", arguments: {} }));
  expect(told).toContain("Deploys are on Mondays");
});

it("keeps what is written where a farther layer does not answer", async () => {
  await say("team", "Deploys are on Mondays");
  vi.spyOn(server.store.open("team"), "isThere").mockReturnValue(new Promise(() => undefined));
  const { id, contradicts } = await say("default", "Deploys are on Fridays");
  expect([id, contradicts]).toEqual(["ep:1", undefined]);
});

it("asks all farther layers at once, and names each that does not answer", async () => {
  await say("team", "Deploys are on Mondays");
  await say("company", "The shop uses npm");
  await say("default", "Deploys are on Fridays");
  await say("default", "The shop uses pnpm");
  const asked = ["team", "company"].map((name) =>
    vi.spyOn(server.store.open(name), "isThere").mockReturnValue(new Promise(() => undefined)),
  );
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const listing = server.store.open().execute("contradictions", {});
  while (asked.some(({ mock }) => mock.calls.length === 0)) {
    await new Promise((resolve) => setImmediate(resolve));
  }
  await vi.advanceTimersByTimeAsync(PATIENCE_MS);
  expect((await listing).warnings).toMatchObject([
    { layer: "team", code: "busy" },
    { layer: "company", code: "busy" },
  ]);
});
