import { afterEach, beforeEach, expect, it } from "vitest";
import { PeopleTokens } from "../../../src/access/index.ts";
import type { OutputOf } from "../../../src/memory/index.ts";
import { type AccessScope, type Caller, OWNER } from "../../../src/shared/caller.ts";
import { CairnError } from "../../../src/shared/errors.ts";
import { httpClient, textOf } from "../../server/mcp/mcp-client.ts";
import { type MemoryServer, memoryServer } from "../../support/memory-server.ts";

let server: MemoryServer;

beforeEach(async () => {
  server = await memoryServer({ layers: ["team", "company"] });
});
afterEach(() => server.end());

const mine = () => server.store.open();
const ofTeam = () => server.store.open("team");

/** Texts of the episodes that a database holds. */
async function textsOf(memory = ofTeam()) {
  const { episodes } = await memory.execute("list_episodes", {});
  return episodes.map(({ content }) => content);
}

async function promoted(content = "Deploys are on Fridays") {
  const { id } = await mine().execute("remember", { content, episode_type: "fact" });
  return mine().execute("promote", { id, to: "team" });
}

const labelsOf = async (id: string) =>
  (await mine().execute("get_episode", { episode_id: id })).labels;

it("takes the copy back with the label, and brings both back", async () => {
  const { id } = await promoted();
  const undone = await mine().execute("undo", {});
  expect(undone.copies).toEqual([{ id: "team/ep:1", outcome: "taken_back" }]);
  expect([await textsOf(), await labelsOf(id)]).toEqual([[], []]);
  const redone = await mine().execute("redo", {});
  expect(redone.copies).toEqual([{ id: "team/ep:1", outcome: "brought_back" }]);
  expect(await textsOf()).toEqual(["Deploys are on Fridays"]);
  expect(await labelsOf(id)).toEqual([{ key: "promoted", value: "team" }]);
  const again = await mine().execute("undo", { change: redone.id ?? "" });
  expect(again.copies).toEqual([{ id: "team/ep:1", outcome: "taken_back" }]);
  expect(await textsOf()).toEqual([]);
  await mine().execute("redo", {});
  expect(await textsOf()).toEqual(["Deploys are on Fridays"]);
});

it("takes back the conflicts that were opened with it", async () => {
  const entities = "project:shop";
  await ofTeam().execute("remember", {
    ...{ content: "The shop deploys on Mondays", episode_type: "fact", entities },
  });
  const { id } = await mine().execute("remember", {
    ...{ content: "The shop deploys on Fridays", episode_type: "fact", entities },
  });
  const { conflicts } = await mine().execute("promote", { id, to: "team" });
  expect(conflicts).toEqual(["team/conflict:1"]);
  const { copies } = await mine().execute("undo", {});
  expect(copies).toEqual([{ id: "team/ep:2", outcome: "taken_back" }]);
  expect(await textsOf()).toEqual(["The shop deploys on Mondays"]);
  expect((await ofTeam().execute("list_conflicts", {})).conflicts).toEqual([]);
  await mine().execute("redo", {});
  expect((await ofTeam().execute("list_conflicts", {})).conflicts).toMatchObject([
    { status: "open" },
  ]);
});

it("leaves a copy that was changed there, and says which change stands on it", async () => {
  const { id } = await promoted();
  await ofTeam().execute("update_episode", { episode_id: "ep:1", content: "Never on Fridays" });
  const rehearsed = await mine().execute("undo", { dry_run: true });
  const { copies } = await mine().execute("undo", {});
  expect(rehearsed.copies).toEqual(copies);
  expect(copies).toMatchObject([{ id: "team/ep:1", outcome: "left" }]);
  expect(copies?.[0]?.reason).toBe(
    "In team, change:2 came later and stands on it. " +
      "To do it there: cairn undo change:1 --together --db team.",
  );
  expect([await textsOf(), await labelsOf(id)]).toEqual([["Never on Fridays"], []]);
  const { copies: none } = await mine().execute("redo", {});
  expect([none, await textsOf()]).toEqual([undefined, ["Never on Fridays"]]);
});

it("only says what would become of it in a rehearsal", async () => {
  const { id } = await promoted();
  const { copies, id: change } = await mine().execute("undo", { dry_run: true });
  expect([change, copies]).toEqual([null, [{ id: "team/ep:1", outcome: "taken_back" }]]);
  expect(await textsOf()).toEqual(["Deploys are on Fridays"]);
  expect(await labelsOf(id)).toHaveLength(1);
});

it("touches nothing elsewhere where it is refused here", async () => {
  const { id } = await promoted();
  await mine().execute("unlabel", { id, key: "promoted", value: "team" });
  await expect(mine().execute("undo", { change: "change:2" })).rejects.toThrow(/stand on it/);
  expect(await textsOf()).toEqual(["Deploys are on Fridays"]);
});

it("takes back of a range, each copy by itself", async () => {
  await promoted();
  await promoted("Deploys are on Mondays");
  await ofTeam().execute("update_episode", { episode_id: "ep:1", content: "Never on Fridays" });
  const { copies } = await mine().execute("undo", { since: "change:0" });
  expect(copies?.map(({ outcome }) => outcome).sort()).toEqual(["left", "taken_back"]);
  expect(await textsOf()).toEqual(["Never on Fridays"]);
  expect(await textsOf(mine())).toEqual([]);
});

it("leaves what a second promotion of the same item did not make", async () => {
  const { id } = await promoted();
  await mine().execute("promote", { id, to: "team" });
  expect((await mine().execute("undo", {})).copies).toBeUndefined();
  expect(await textsOf()).toEqual(["Deploys are on Fridays"]);
});

it("takes back what was promoted anew after somebody took it back there", async () => {
  const { id } = await promoted();
  await ofTeam().execute("undo", {});
  await mine().execute("promote", { id, to: "team" });
  const { copies } = await mine().execute("undo", {});
  expect([copies, await textsOf()]).toEqual([[{ id: "team/ep:2", outcome: "taken_back" }], []]);
  const { copies: back } = await mine().execute("redo", {});
  expect(back).toEqual([{ id: "team/ep:2", outcome: "brought_back" }]);
  expect(await textsOf()).toEqual(["Deploys are on Fridays"]);
});

it("says who took it back there before", async () => {
  await promoted();
  await ofTeam().execute("undo", {}, { author: "Bob" });
  const { copies } = await mine().execute("undo", {});
  expect(copies).toEqual([
    { id: "team/ep:1", outcome: "left", reason: "In team, change:2 by Bob did that before." },
  ]);
  await mine().execute("redo", {});
  expect(await textsOf()).toEqual([]);
});

it("takes nothing for the copy in a layer that was put back to an earlier moment", async () => {
  await promoted();
  await server.store.remove("team");
  await ofTeam().execute("remember", { content: "Another thing altogether" });
  const { copies } = await mine().execute("undo", {});
  expect(copies).toEqual([
    {
      id: "team/ep:1",
      outcome: "left",
      reason: "team was put back to an earlier moment since.",
    },
  ]);
  expect(await textsOf()).toEqual(["Another thing altogether"]);
});

it("is asked again where the layer did not answer, and nothing is taken back until then", async () => {
  const { id } = await promoted();
  const team = ofTeam();
  const answering = team.takeBack;
  team.takeBack = () =>
    Promise.reject(new CairnError("unavailable", "of the driver: QUETZALCOATL"));
  const refused = mine().execute("undo", {});
  await expect(refused).rejects.toThrow(/^team\/ep:1 is to be taken back, too, and team does not/);
  await expect(refused).rejects.not.toThrow(/QUETZALCOATL/);
  expect(await labelsOf(id)).toHaveLength(1);
  team.takeBack = answering;
  expect((await mine().execute("undo", {})).copies).toMatchObject([{ outcome: "taken_back" }]);
});

it("is done once for a caller who asks again under the same name", async () => {
  await promoted();
  await promoted("Deploys are on Mondays");
  const once = { name: "the undo", settled: [] };
  const first = await mine().execute("undo", {}, { once });
  const again = await mine().execute("undo", {}, { once });
  expect(again).toEqual(first);
  expect(await textsOf()).toEqual(["Deploys are on Fridays"]);
});

const caller = (scope: AccessScope, within: Record<string, AccessScope>, name = "ada"): Caller => ({
  ...{ name, scope, within, databases: Object.keys(within) },
});

/** Ada may write in both when she promotes; what she may later is what is tried. */
async function promotedByAda() {
  await ofTeam().execute("remember", { content: "The team is there" });
  const ada = { caller: caller("write", { default: "write", team: "write" }) };
  const { id } = await mine().execute("remember", { content: "Deploys are on Fridays" }, ada);
  await mine().execute("promote", { id, to: "team" }, ada);
}

const undoAs = (who: Caller): Promise<OutputOf<"undo">> =>
  mine().execute("undo", { change: "change:2" }, { caller: who });

it.each([
  ["whom the layer is closed to", caller("write", { default: "write" }), /team/],
  [
    "who may only read there",
    caller("read", { default: "write", team: "read" }),
    /needs the scope write, and the token of ada has read/,
  ],
  [
    "who may only propose there",
    caller("read", { default: "write", team: "propose" }),
    /needs the scope write, and the token of ada has propose/,
  ],
  [
    "who may decide here, and write there, on what somebody else promoted",
    caller("read", { default: "decide", team: "write" }, "bob"),
    /change:2, which ada made, needs the scope decide, and the token of bob has write/,
  ],
])("leaves the copy for one %s, and says why", async (_who, who, why) => {
  await promotedByAda();
  const { copies } = await undoAs(who);
  expect(copies).toMatchObject([{ id: "team/ep:2", outcome: "left" }]);
  expect(copies?.[0]?.reason).toMatch(why);
  expect(await textsOf()).toContain("Deploys are on Fridays");
});

it.each([
  ["who promoted it", caller("write", { default: "write", team: "write" })],
  ["who may decide in both", caller("read", { default: "decide", team: "decide" }, "bob")],
  ["who owns the server", OWNER],
])("takes the copy back for one %s", async (_who, who) => {
  await promotedByAda();
  const { copies } = await undoAs(who);
  expect(copies).toEqual([{ id: "team/ep:2", outcome: "taken_back" }]);
  expect(await textsOf()).toEqual(["The team is there"]);
  const { changes } = await ofTeam().execute("changes", { limit: 1 });
  expect(changes).toMatchObject([{ operation: "undo", author: who.name ?? "library" }]);
});

it("goes over REST and MCP, which say what became of the copy", async () => {
  const { id } = await promoted();
  const { client } = await httpClient(`${server.url}/mcp`);
  const said = await client.callTool({ name: "undo", arguments: { change: "change:2" } });
  expect(textOf(said)).toContain("team/ep:1 · outcome=taken_back");
  await mine().execute("promote", { id, to: "team" });
  const people = new PeopleTokens(server.store.tokens);
  const { token } = await people.create("ada", "admin", { databases: ["default", "team"] });
  const answer = await fetch(`${server.url}/api/v1/undo`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
    body: JSON.stringify({ change: "change:4" }),
  });
  expect(await answer.json()).toMatchObject({
    copies: [{ id: "team/ep:2", outcome: "taken_back" }],
  });
  const { changes } = await ofTeam().execute("changes", { limit: 1 });
  expect(changes).toMatchObject([{ author: "ada", surface: "rest" }]);
});
