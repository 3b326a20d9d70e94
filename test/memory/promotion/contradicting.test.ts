import { afterEach, beforeEach, expect, it } from "vitest";
import { PeopleTokens } from "../../../src/access/index.ts";
import { httpClient, textOf } from "../../server/mcp/mcp-client.ts";
import { type MemoryServer, memoryServer } from "../../support/memory-server.ts";

let server: MemoryServer;

beforeEach(async () => {
  server = await memoryServer({ layers: ["team"] });
  await server.store.open("team").execute("remember", {
    ...{ content: "Deploys are on Mondays", episode_type: "fact", entities: "project:shop" },
  });
});
afterEach(() => server.end());

/** A fact of mine that says otherwise, with what is nobody's business. */
async function mine(content = "Deploys are on Fridays") {
  const { id } = await server.store.open().execute("remember", {
    ...{ content, episode_type: "fact", entities: "project:shop" },
    ...{ session: "QUETZALCOATL", metadata: { note: "QUETZALCOATL" } },
  });
  return id;
}

async function rest(token: string, path: string, body?: object) {
  const answer = await fetch(`${server.url}/api/v1${path}`, {
    method: body === undefined ? "GET" : "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: answer.status, text: await answer.text() };
}

const conflictsOfTeam = async () =>
  (await server.store.open("team").execute("list_conflicts", { status: "all" })).conflicts;

it("opens a conflict in the farther layer, with what was promoted and nothing else", async () => {
  const promoted = await server.store.open().execute("promote", { id: await mine(), to: "team" });
  expect(promoted.conflicts).toEqual(["team/conflict:1"]);
  const conflicts = await conflictsOfTeam();
  expect(conflicts).toMatchObject([
    {
      status: "open",
      fact_a: { statement: "Deploys are on Mondays" },
      fact_b: { statement: "Deploys are on Fridays" },
    },
  ]);
  expect(JSON.stringify(conflicts)).not.toContain("QUETZALCOATL");
});

it("leaves what only stands beside it alone", async () => {
  const id = await mine("The shop sells coats and shoes");
  expect((await server.store.open().execute("promote", { id, to: "team" })).conflicts).toBe(
    undefined,
  );
  expect(await conflictsOfTeam()).toEqual([]);
});

it("is shown to the farther layer over REST and MCP, and decided there by who may, for good", async () => {
  const id = await mine();
  await server.store.open().execute("promote", { id, to: "team" });
  const { client } = await httpClient(`${server.url}/mcp?db=team`);
  const told = await client.callTool({ name: "snapshot", arguments: { scopes: "conflicts" } });
  expect(textOf(told)).toContain("Deploys are on Fridays");
  const people = new PeopleTokens(server.store.tokens);
  const { token: reader } = await people.create("eve", "read", { databases: ["team"] });
  const { token: member } = await people.create("bob", "write", { databases: ["team"] });
  const { token: outsider } = await people.create("mallory", "write", { databases: ["default"] });
  expect((await rest(reader, "/conflicts?db=team")).text).toContain("Deploys are on Fridays");
  expect((await rest(reader, "/snapshot?db=team", { scopes: "conflicts" })).text).toContain(
    "Deploys are on Fridays",
  );
  const decide = { winning_fact_id: "fact:1" };
  for (const token of [reader, outsider]) {
    expect((await rest(token, "/conflicts/conflict:1/resolve?db=team", decide)).status).toBe(403);
  }
  expect(await rest(member, "/conflicts/conflict:1/resolve?db=team", decide)).toMatchObject({
    status: 200,
  });
  // Asked for once more, it stays decided.
  await server.store.open().execute("promote", { id, to: "team" });
  expect(await conflictsOfTeam()).toMatchObject([{ status: "resolved", winner: "fact:1" }]);
});
