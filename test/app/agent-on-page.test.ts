import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { requestUpgrade } from "../support/request-upgrade.ts";
import { UiClient } from "../support/ui-client.ts";
import {
  AGENT_TOKEN,
  type AgentPage,
  MAKERS_SECRET,
  startAgentPage,
} from "../web/support/agent-page.ts";

const MEMORY_TOKEN = "the-token-of-the-memory";

describe("the agent on the memory server", () => {
  let server: AgentPage;

  beforeAll(async () => {
    server = await startAgentPage({ token: MEMORY_TOKEN });
  });

  afterAll(() => server.end());

  const ask = async (method: string, path: string, token?: string, headers = {}) => {
    const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const answer = await fetch(server.url + path, {
      method,
      headers: { ...authorization, ...headers },
    });
    const text = await answer.text();
    return { status: answer.status, body: text === "" ? {} : JSON.parse(text) };
  };

  it("accepts only its own token on all agent paths", async () => {
    const link = () => new URL(server.address("x")).hash.slice("#agent=".length);
    const doors = [
      ["GET", "/agent", AGENT_TOKEN],
      ["POST", "/agent/links", MAKERS_SECRET],
      ["POST", "/agent/session", link()],
    ] as const;
    for (const [method, path, right] of doors) {
      const wrong = [undefined, "", "wrong", MEMORY_TOKEN, AGENT_TOKEN, MAKERS_SECRET];
      for (const token of wrong.filter((one) => one !== right)) {
        expect([path, token, (await ask(method, path, token)).status]).toEqual([path, token, 401]);
      }
      expect([path, (await ask(method, path, right)).status]).toEqual([path, 200]);
    }
    expect((await ask("GET", "/ws", AGENT_TOKEN)).status).toBe(426);
    expect((await ask("GET", "/ws", MEMORY_TOKEN)).status).toBe(401);
  });

  it("grants no access to the memory", async () => {
    for (const token of [AGENT_TOKEN, MAKERS_SECRET]) {
      expect((await ask("GET", "/api/v1/stats", token)).status).toBe(401);
    }
    expect((await ask("GET", "/api/v1/stats", MEMORY_TOKEN)).status).toBe(200);
  });

  it("accepts a WebSocket only with its token, host and origin", async () => {
    const client = await UiClient.connect(server.url, {}, `/ws?token=${AGENT_TOKEN}`);
    client.socket.terminate();
    const refused = [
      { token: MEMORY_TOKEN, headers: {}, status: 401 },
      { token: undefined, headers: {}, status: 401 },
      { token: AGENT_TOKEN, headers: { origin: "http://evil.example" }, status: 403 },
      { token: AGENT_TOKEN, headers: { host: "evil.example" }, status: 403 },
    ];
    for (const { token, headers, status } of refused) {
      expect([token, headers, await requestUpgrade(server.port, token, headers)]).toEqual([
        token,
        headers,
        status,
      ]);
    }
  });

  it("rejects other origins before checking the token", async () => {
    const headers = { origin: "http://evil.example", "sec-fetch-site": "cross-site" };
    for (const [method, path] of [
      ["GET", "/agent"],
      ["POST", "/agent/session"],
      ["POST", "/agent/links"],
    ] as const) {
      expect((await ask(method, path, AGENT_TOKEN, headers)).status).toBe(403);
    }
  });

  it("creates single-use links", async () => {
    const { body } = await ask("POST", "/agent/links", MAKERS_SECRET);
    expect(await ask("POST", "/agent/session", body.link)).toEqual({
      status: 200,
      body: { token: AGENT_TOKEN },
    });
    expect((await ask("POST", "/agent/session", body.link)).status).toBe(401);
    expect(server.warnings).toHaveLength(1);
  });

  it("serves commands, paths and recalled memory", async () => {
    const client = await UiClient.connect(server.url, {}, `/ws?token=${AGENT_TOKEN}`);
    const answer = (expected: string) => client.waitFor(({ type }) => type === expected);
    try {
      client.send("command.list", {});
      const { commands } = (await answer("command.list")).payload;
      expect(commands).toContainEqual(expect.objectContaining({ name: "remember" }));
      client.send("path.list", { typed: "no-such-path" });
      expect((await answer("path.list")).payload).toEqual({ typed: "no-such-path", paths: [] });
      client.send("thread.told", { threadId: "nobody" });
      expect((await answer("error")).payload.code).toBe("not_found");
    } finally {
      client.socket.terminate();
    }
  });
});
