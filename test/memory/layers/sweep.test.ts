import { eq } from "drizzle-orm";
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from "vitest";
import { PeopleTokens } from "../../../src/access/index.ts";
import { meta } from "../../../src/memory/context/meta.table.ts";
import { CairnError } from "../../../src/shared/errors.ts";
import { type MemoryServer, memoryServer, memoryStore } from "../../support/memory-server.ts";

let server: MemoryServer;

beforeEach(async () => {
  server = await memoryServer({ layers: ["team", "company"] });
});
afterEach(() => server.end());

const say = (db: string, content: string) =>
  server.store.open(db).execute("remember", { content, episode_type: "fact" });

/** In one changeset, of which at most 100 claims are held against other layers by the write. */
const sayMany = (db: string, contents: readonly string[]) =>
  server.store.open(db).execute("apply", {
    changeset: JSON.stringify(
      contents.map((content) => ({ op: "remember", content, episode_type: "fact" })),
    ),
  });

const others = (count: number) => Array.from({ length: count }, (_, n) => `Room ${n} is painted`);

const listed = async (db = "default") => server.store.open(db).execute("contradictions", {});
const between = async (db = "default") =>
  (await listed(db)).contradictions.map(({ nearer, farther }) => [nearer.id, farther.id]);
const sweep = (db = "default") => server.store.open(db).sweepContradictions();

it("finds what stands behind the first hundred claims of a changeset, and says where it stands", async () => {
  await say("team", "Deploys are on Mondays");
  await sayMany("default", [...others(120), "Deploys are on Fridays"]);
  expect(await between()).toEqual([]);
  expect((await listed()).sweeps).toEqual([{ layer: "team", held: 0, waiting: 122 }]);
  expect(await sweep()).toBe(1);
  expect(await between()).toEqual([["ep:121", "team/ep:1"]]);
  expect((await listed()).sweeps).toEqual([{ layer: "team", held: 122, waiting: 0 }]);
});

it("finds what was written in the farther layer afterwards, and edited there", async () => {
  const { id } = await say("default", "Deploys are on Fridays");
  await sweep();
  await say("team", "Deploys are on Mondays");
  await say("company", "The office closes at six");
  expect(await between()).toEqual([]);
  await sweep();
  expect(await between()).toEqual([[id, "team/ep:1"]]);
  const team = server.store.open("team");
  await team.execute("update_episode", { episode_id: "ep:1", content: "Deploys are on Fridays" });
  expect(await between()).toEqual([]);
  const content = "Deploys are on Tuesdays";
  await team.execute("update_episode", { episode_id: "ep:1", content });
  expect(await between()).toEqual([[id, "team/ep:1"]]);
});

it("finds what a merge brought, in each layer that lies before another", async () => {
  await say("company", "Deploys are on Mondays");
  await say("team", "The team eats at noon");
  await say("elsewhere", "Deploys are on Fridays");
  await sayMany("elsewhere", others(150));
  const answer = await fetch(`${server.url}/api/v1/databases/team/merge`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ from: "elsewhere" }),
  });
  expect(answer.status).toBe(200);
  await sweep("team");
  expect((await between("team")).map(([, farther]) => farther)).toEqual(["company/ep:1"]);
});

it("tells the farther layer nothing, and is a change of its own that one undo takes", async () => {
  const { id } = await say("default", "Deploys are on Fridays, says QUETZALCOATL");
  await say("default", "Deploys are on Fridays");
  await say("team", "Deploys are on Mondays");
  const team = server.store.open("team");
  const told = async () =>
    JSON.stringify([await team.execute("events", {}), await team.execute("stats", {})]);
  const before = await told();
  await sweep();
  expect(await told()).toBe(before);
  expect(await between()).not.toEqual([]);
  const { changes } = await server.store.open().execute("changes", {});
  expect(changes[0]).toMatchObject({ author: "contradictions" });
  expect(id).toBe("ep:1");
});

it("adds nothing twice, and nothing that somebody left at that", async () => {
  const { id } = await say("default", "Deploys are on Fridays");
  await say("team", "Deploys are on Mondays");
  expect([await sweep(), await sweep()]).toEqual([1, 0]);
  const mine = server.store.open();
  await mine.execute("unlabel", { id, key: "contradicts" });
  // From the beginning once more.
  const database = await mine.database();
  await database.write((tx) => tx.delete(meta).where(eq(meta.key, "contradictions:team")));
  expect(await sweep()).toBe(0);
  expect(await between()).toEqual([]);
  expect((await listed()).sweeps).toMatchObject([{ waiting: 0 }]);
});

it("goes on where it was when a layer did not answer, and the others are held meanwhile", async () => {
  await say("default", "Deploys are on Fridays");
  await say("default", "The office closes at five");
  await say("team", "Deploys are on Mondays");
  await say("company", "The office closes at six");
  await sayMany("default", others(60));
  const team = server.store.open("team");
  const read = vi.spyOn(team, "readHere").mockRejectedValue(new CairnError("busy", "not now"));
  expect(await sweep()).toBe(1);
  expect(await between()).toEqual([["ep:2", "company/ep:1"]]);
  read.mockRestore();
  expect(await sweep()).toBe(1);
  expect((await between()).sort()).toEqual([
    ["ep:1", "team/ep:1"],
    ["ep:2", "company/ep:1"],
  ]);
});

it("does not tell how much a layer holds to whom it is closed", async () => {
  await say("default", "Deploys are on Fridays");
  await say("team", "Deploys are on Mondays");
  const people = new PeopleTokens(server.store.tokens);
  const { token } = await people.create("ada", "write", { databases: ["default"] });
  const headers = { authorization: `Bearer ${token}` };
  const answer = await fetch(`${server.url}/api/v1/contradictions`, { headers });
  expect(((await answer.json()) as { sweeps: unknown[] }).sweeps).toEqual([]);
});

/** Another server of the same databases. */
function otherServer() {
  const store = memoryStore(server.dataDir, [], { layers: ["team", "company"] });
  onTestFinished(() => store.close());
  return store.open();
}

/** Changes of the sweep, oldest first. */
async function sweepChanges() {
  const { changes } = await server.store.open().execute("changes", { author: "contradictions" });
  return changes.map(({ events }) => events.map(({ subject_id: id, payload }) => [id, payload]));
}

it.each([1, 2, 3, 4, 5])(
  "adds a label once where another server sweeps the same after read %i, and somebody leaves it at that",
  async (after) => {
    const { id } = await say("default", "Deploys are on Fridays");
    await say("team", "Deploys are on Mondays");
    const other = otherServer();
    const [mine, team] = [server.store.open(), server.store.open("team")];
    let reads = 0;
    let others = 0;
    for (const memory of [mine, team]) {
      const read = memory.readHere.bind(memory);
      vi.spyOn(memory, "readHere").mockImplementation(async (body) => {
        const found = await read(body);
        reads += 1;
        if (reads !== after) return found;
        others = await other.sweepContradictions();
        await other.execute("unlabel", { id, key: "contradicts" });
        return found;
      });
    }
    const found = await sweep();
    vi.restoreAllMocks();
    expect(reads).toBeGreaterThanOrEqual(after);
    expect([found, others]).toEqual([0, 1]);
    expect(await sweepChanges()).toHaveLength(1);
    expect(await between()).toEqual([]);
    expect((await listed()).sweeps).toEqual([{ layer: "team", held: 2, waiting: 0 }]);
  },
);

it("finds each contradiction once where two servers sweep at the same time", async () => {
  const topics = ["shop", "mail job", "billing", "kitchen", "archive", "office", "garage"];
  for (const topic of topics) await say("default", `The ${topic} uses pnpm`);
  for (const topic of topics) await say("team", `The ${topic} uses npm`);
  const other = otherServer();
  const found = await Promise.all([sweep(), other.sweepContradictions()]);
  expect(found[0] + found[1]).toBe(topics.length);
  const changes = await sweepChanges();
  expect(changes).toHaveLength(topics.length);
  expect(new Set(changes.map((events) => JSON.stringify(events))).size).toBe(topics.length);
  expect(await between()).toHaveLength(topics.length);
  expect((await listed()).sweeps).toEqual([{ layer: "team", held: 14, waiting: 0 }]);
});
