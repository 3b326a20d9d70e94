import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { PeopleTokens } from "../../src/access/index.ts";
import { upgrade } from "../support/ask-upgrade.ts";
import { memoryServer } from "../support/memory-server.ts";
import { AGENT_TOKEN, agentPage } from "../web/support/agent-page.ts";
import { auditOfTest, removeWithTest } from "./support/audit-place.ts";

/** Stands wherever somebody can put words. */
const WORDS = "the-vault-is-behind-the-stove";

it("notes who asks for the agent's socket and at the door for phones, let in or refused", async () => {
  const made = auditOfTest();
  removeWithTest(made);
  const server = await agentPage({ audit: made.audit });
  onTestFinished(() => server.end());
  const door = await server.phones.open("127.0.0.1");
  const port = Number(new URL(door.url).port);

  expect(await upgrade(server.port, AGENT_TOKEN, {})).toBe(101);
  expect(await upgrade(server.port, WORDS, {})).toBe(401);
  expect(await upgrade(server.port, AGENT_TOKEN, { host: `${WORDS}.example` })).toBe(403);
  const link = new URL((await server.phones.makeLink({ name: "ada" })).url).hash.slice(6);
  const pair = async () => {
    const headers = { authorization: `Bearer ${link}` };
    return fetch(`${door.url}/phone/session`, { method: "POST", headers });
  };
  const paired = await pair();
  const { token } = (await paired.json()) as { token: string };
  expect((await pair()).status).toBe(401);
  const ask = (path: string) =>
    fetch(`${door.url}${path}`, { headers: { authorization: `Bearer ${token}` } });
  expect((await ask("/phone/waiting")).status).toBe(200);
  expect((await ask(`/${WORDS}`)).status).toBe(404);
  expect(await upgrade(port, token, {})).toBe(101);
  expect(await upgrade(port, WORDS, {})).toBe(401);

  const { entries, problem } = await made.read();
  expect(problem).toBeUndefined();
  const doors = entries.filter(({ from }) => from === "agent" || from === "phone");
  expect(doors.map((it) => [it.from, it.route, it.status, it.outcome, it.caller])).toEqual([
    ["agent", "GET /ws", 101, "answered", null],
    ["agent", "GET /ws", 401, "refused", null],
    ["agent", "GET /ws", 403, "refused", null],
    ["phone", "POST /phone/session", 200, "answered", null],
    ["phone", "POST /phone/session", 401, "refused", null],
    ["phone", "GET /phone/waiting", 200, "answered", "ada"],
    ["phone", "GET none", 404, "failed", "ada"],
    ["phone", "GET /ws", 101, "answered", "ada"],
    ["phone", "GET /ws", 401, "refused", null],
  ]);
  expect(JSON.stringify(entries)).not.toContain(WORDS);
  expect(JSON.stringify(entries)).not.toContain(token);
});

it("takes over no connection that it cannot note", async () => {
  const made = auditOfTest();
  removeWithTest(made);
  const server = await agentPage({ audit: made.audit });
  onTestFinished(() => server.end());
  const port = Number(new URL((await server.phones.open("127.0.0.1")).url).port);
  await rm(join(made.place.file, "../.."), { recursive: true, force: true });
  await writeFile(join(made.place.file, "../.."), "in the way");
  expect(await upgrade(server.port, AGENT_TOKEN, {})).toBe(503);
  expect(await upgrade(port, undefined, {})).toBe(503);
  expect((await fetch(`http://127.0.0.1:${port}/phone`)).status).toBe(503);
});

it("notes what asks a memory's server for another protocol", async () => {
  const made = auditOfTest();
  removeWithTest(made);
  const server = await memoryServer({ audit: made.audit, token: "of-the-server" });
  onTestFinished(() => server.end());
  expect(await upgrade(server.port, undefined, {})).toBe(401);
  expect(await upgrade(server.port, undefined, { authorization: "Bearer of-the-server" })).toBe(
    400,
  );
  const { entries } = await made.read();
  expect(entries.slice(1).map(({ from, route, status, by }) => [from, route, status, by])).toEqual([
    ["server", "GET none", 401, "nobody"],
    ["server", "GET none", 400, "server"],
  ]);
});

it("notes a caller who had too much as refused, over REST and MCP, and concepts by id", async () => {
  const made = auditOfTest();
  removeWithTest(made);
  const server = await memoryServer({ audit: made.audit, quotas: { writesPerDay: 2 } });
  onTestFinished(() => server.end());
  const { token } = await new PeopleTokens(server.store.tokens).create("ada", "admin");
  const send = async (method: string, path: string, body?: object) => {
    const answer = await fetch(server.url + path, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    return answer.ok ? JSON.parse(text) : {};
  };
  const tool = (name: string, given: object) =>
    send("POST", "/mcp?tools=all", {
      ...{ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: given } },
    });
  const episode = await send("POST", "/api/v1/episodes", { content: WORDS });
  const { id } = await send("POST", "/api/v1/concepts", {
    ...{ title: WORDS, summary: WORDS, confidence: 0.5, from: [episode.id] },
  });
  expect(id).toMatch(/^c[0-9a-z]{16}$/);
  await send("GET", `/api/v1/concepts/${id}`);
  await tool("history", { id });
  await send("POST", "/api/v1/episodes", { content: WORDS });
  await tool("remember", { content: WORDS });
  await send("GET", `/api/v1/concepts/c${WORDS}`);
  const { entries } = await made.read();
  const told = entries.slice(1).filter((it) => it.route !== "POST /mcp");
  expect(told.map((it) => [it.operation, it.status, it.outcome, it.ids])).toEqual([
    ["remember", 200, "answered", undefined],
    ["create_concept", 200, "answered", [episode.id]],
    ["get_concept", 200, "answered", [id]],
    ["history", 200, "answered", [id]],
    ["remember", 429, "refused", undefined],
    ["remember", 429, "refused", undefined],
    ["get_concept", 404, "failed", undefined],
  ]);
  expect(JSON.stringify(entries)).not.toContain(WORDS);
});
