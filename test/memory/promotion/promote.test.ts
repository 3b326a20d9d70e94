import { afterEach, beforeEach, expect, it } from "vitest";
import { PeopleTokens } from "../../../src/access/index.ts";
import type { InputOf } from "../../../src/memory/index.ts";
import { httpClient, mcpClient, textOf } from "../../server/mcp/mcp-client.ts";
import { type MemoryServer, serveMemory } from "../../support/memory-server.ts";

let server: MemoryServer;

beforeEach(async () => {
  server = await serveMemory({ layers: ["team", "company"] });
});
afterEach(() => server.end());

const mine = () => server.store.open();
const ofTeam = () => server.store.open("team");

async function remember(
  more: Partial<InputOf<"remember">> = {},
  content = "Deploys are on Fridays",
) {
  return mine().execute("remember", { content, episode_type: "fact", ...more });
}

it("copies a fact with author, origin, time and subject", async () => {
  const { id, fact_id: fact = "" } = await remember({
    entities: "project:shop",
    labels: "area=deploy",
    asserted_by: "Ada",
    source_ref: "https://example.com/minutes/4",
    occurred_at: "2026-01-02T03:04:05.000Z",
  });
  const { promoted_id: there, created } = await mine().execute("promote", { id: fact, to: "team" });
  expect([there, created]).toEqual(["team/ep:1", true]);
  const made = await ofTeam().execute("get_episode", { episode_id: "ep:1" });
  expect(made).toMatchObject({
    content: "Deploys are on Fridays",
    episode_type: "fact",
    entities: ["project:shop"],
    labels: [{ key: "area", value: "deploy" }],
    asserted_by: "Ada",
    source_ref: "https://example.com/minutes/4",
    metadata: { promoted: { from: `default/${id}` } },
  });
  const claim = await ofTeam().execute("get_fact", { fact_id: made.fact_id ?? "" });
  expect(claim).toMatchObject({ valid_from: "2026-01-02T03:04:05.000Z", status: "active" });
  const source = await mine().execute("get_episode", { episode_id: id });
  expect(source.labels).toContainEqual({ key: "promoted", value: "team" });
});

it("copies only fields named in the result", async () => {
  await remember({}, "QUETZALCOATL stands before it");
  const { id } = await remember({ session: "QUETZALCOATL", metadata: { note: "QUETZALCOATL" } });
  await mine().execute("update_episode", { episode_id: id, content: "A QUETZALCOATL in between" });
  await mine().execute("update_episode", { episode_id: id, content: "Deploys are on Mondays" });
  const { stays, goes } = await mine().execute("promote", { id, to: "team" });
  expect(stays).toEqual(["session", "metadata"]);
  expect(JSON.stringify(goes)).not.toContain("QUETZALCOATL");
  const answer = await fetch(`${server.url}/api/v1/databases/team/export`);
  const all = await answer.text();
  expect(all).toContain("Deploys are on Mondays");
  expect(all).not.toContain("QUETZALCOATL");
});

it("creates the copy once, and again after an undo", async () => {
  const { id } = await remember();
  const first = await mine().execute("promote", { id, to: "team" });
  const again = await mine().execute("promote", { id, to: "team" });
  expect([first.created, again.created]).toEqual([true, false]);
  expect(again.promoted_id).toBe(first.promoted_id);
  expect((await ofTeam().execute("stats", {})).episodes.total).toBe(1);
  await ofTeam().execute("undo", {});
  const anew = await mine().execute("promote", { id, to: "team" });
  expect(anew.created).toBe(true);
});

it("can be promoted further without the promotion label", async () => {
  await remember();
  await mine().execute("promote", { id: "ep:1", to: "team" });
  const { goes } = await ofTeam().execute("promote", { id: "ep:1", to: "company" });
  expect(goes.labels).toEqual([]);
  expect(goes.metadata.promoted.from).toBe("team/ep:1");
});

it("only reports the copy on a dry run", async () => {
  const { id } = await remember();
  const rehearsed = await mine().execute("promote", { id, to: "team", dry_run: true });
  expect(rehearsed).toMatchObject({ dry_run: true, created: false });
  expect(rehearsed.goes.content).toBe("Deploys are on Fridays");
  expect(await ofTeam().isThere()).toBe(false);
  expect((await mine().execute("get_episode", { episode_id: id })).labels).toEqual([]);
});

it("names field and cure if promotion is impossible", async () => {
  const { id } = await remember({ entities: "project:shop" });
  await expect(mine().execute("promote", { id, to: "elsewhere" })).rejects.toThrow(
    /^to: "elsewhere" is not an outer layer of default\. Its outer layers are team, company/,
  );
  await expect(mine().execute("promote", { id: "ep:9", to: "team" })).rejects.toThrow(/^id: /);
  await expect(ofTeam().execute("promote", { id, to: "default" })).rejects.toThrow(
    /^to: "default"/,
  );
  await remember({ entities: "project:shop" }, "Deploys are on Mondays");
  await mine().execute("promote", { id, to: "team" });
  await mine().execute("supersede", { old: "fact:1", new: "fact:2" });
  await expect(mine().execute("promote", { id, to: "team" })).rejects.toThrow(
    /^id: ep:1 is invalid since .* Promote its replacement: ep:2/,
  );
  await mine().execute("promote", { id: "ep:2", to: "team" });
  await mine().execute("update_episode", { episode_id: "ep:2", content: "Deploys are on Sundays" });
  await expect(mine().execute("promote", { id: "ep:2", to: "team" })).rejects.toThrow(
    /^id: ep:2 was already promoted to team, and its text has changed since\. Update the copy there/,
  );
});

it("requires write access to both layers over REST", async () => {
  const { id } = await remember();
  await ofTeam().execute("remember", { content: "The team is there" });
  const people = new PeopleTokens(server.store.tokens);
  const send = async (token: string) => {
    const answer = await fetch(`${server.url}/api/v1/promote`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
      body: JSON.stringify({ id, to: "team" }),
    });
    return { status: answer.status, text: await answer.text() };
  };
  const { token: alone } = await people.create("ada", "write", { databases: ["default"] });
  const { token: reader } = await people.create("eve", "read", { databases: ["default", "team"] });
  const { token: both } = await people.create("bob", "write", { databases: ["default", "team"] });
  for (const token of [alone, reader]) {
    expect((await send(token)).status).toBe(403);
    expect((await mine().execute("get_episode", { episode_id: id })).labels).toEqual([]);
  }
  expect((await send(alone)).text).toContain('to: the token of ada gives no access to \\"team\\"');
  expect(await send(both)).toMatchObject({ status: 200 });
  const { changes } = await ofTeam().execute("changes", {});
  expect(changes[0]).toMatchObject({ author: "bob", surface: "rest" });
});

it("is an MCP tool only if there are layers", async () => {
  const { id } = await remember();
  const { client } = await httpClient(`${server.url}/mcp`);
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toContain("promote");
  const message = await client.callTool({ name: "promote", arguments: { id, to: "team" } });
  expect(textOf(message)).toContain("team/ep:1");
  expect((await ofTeam().execute("get_episode", { episode_id: "ep:1" })).content).toBe(
    "Deploys are on Fridays",
  );
  const { client: without } = await mcpClient();
  expect((await without.listTools()).tools.map(({ name }) => name)).not.toContain("promote");
});

it("retries an item that the outer layer rejected", async () => {
  const { id } = await remember();
  const team = ofTeam();
  const refusing = team.executeNamed;
  team.executeNamed = () => Promise.reject(new Error("gone"));
  await expect(mine().execute("promote", { id, to: "team" })).rejects.toThrow("gone");
  expect((await mine().execute("get_episode", { episode_id: id })).labels).toEqual([]);
  team.executeNamed = refusing;
  expect((await mine().execute("promote", { id, to: "team" })).created).toBe(true);
});
