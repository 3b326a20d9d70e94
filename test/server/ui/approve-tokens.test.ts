import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { PeopleTokens } from "../../../src/access/index.ts";
import { clientMessages } from "../../../src/server/ui/index.ts";
import { UiClient } from "../../support/ui-client.ts";
import { type AgentPage, startAgentPage } from "../../web/support/agent-page.ts";

describe("a token of the scope approve", () => {
  let server: AgentPage;
  let tokens: PeopleTokens;
  let phone: string;
  const open: UiClient[] = [];

  beforeAll(async () => {
    server = await startAgentPage();
    tokens = new PeopleTokens(server.store.tokens);
    phone = (await tokens.create("phone", "approve")).token;
  });
  afterEach(() => {
    for (const client of open.splice(0)) client.socket.terminate();
  });
  afterAll(() => server.end());

  const connect = async (token: string) => {
    const client = await UiClient.connect(server.url, {}, `/ws?token=${token}`);
    open.push(client);
    client.send("session.start", { capabilities: ["permission"], client: "a watch" });
    await client.waitForType("session.ready");
    return client;
  };
  const statusOf = async (path: string, token: string) =>
    (await fetch(server.url + path, { headers: { authorization: `Bearer ${token}` } })).status;

  it("gives access to the agent but not the memory", async () => {
    expect(await statusOf("/agent", phone)).toBe(200);
    for (const path of ["/api/v1/stats", "/api/v1/episodes", "/metrics", "/health", "/mcp"]) {
      expect([path, await statusOf(path, phone)]).toEqual([path, 403]);
    }
  });

  it("can answer requests and stop runs only", async () => {
    const client = await connect(phone);
    const payload = {
      ...{ threadId: "t", text: "rm -rf /", id: "0-2", typed: "", sinceSeq: 0 },
      ...{ questionId: "x", decision: "once", mode: "auto", title: "x" },
    };
    const allowed: string[] = [];
    for (const type of Object.keys(clientMessages)) {
      if (type === "session.stop") continue;
      const from = client.received.length;
      client.send(type, payload);
      client.send("thread.history", { threadId: "t" });
      await client.waitFor(
        (one) => one.type === "thread.history" || one.payload.code === "not_found",
        { from },
      );
      const answers = client.received.slice(from);
      if (!answers.some((one) => one.payload.code === "forbidden")) allowed.push(type);
    }
    expect(allowed.sort()).toEqual([
      "permission.answer",
      "queue.list",
      "run.cancel",
      "session.start",
      "thread.history",
      "thread.list",
      "thread.subscribe",
    ]);
    client.send("permission.answer", { threadId: "t", questionId: "x", decision: "always" });
    await client.waitFor((one) => /^decision: /.test(one.payload?.message ?? ""));
  });

  it("is rejected once revoked, like other memory tokens", async () => {
    const { token: other } = await tokens.create("ada", "admin");
    await expect(connect(other)).rejects.toThrow();
    const client = await connect((await tokens.create("lost", "approve")).token);
    await tokens.revoke("lost");
    expect(await client.closed).toBe(1008);
  });
});
