import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createOperations } from "../../src/memory/index.ts";
import { routesOf } from "../../src/server/rest/index.ts";
import { STORE_ROUTES } from "../../src/server/rest/store-routes/registry.ts";
import { clientMessages } from "../../src/server/ui/index.ts";
import { upgrade } from "../support/ask-upgrade.ts";
import { CertificateAuthority } from "../support/certificates.ts";
import { patiently } from "../support/patiently.ts";
import { UiClient } from "../support/ui-client.ts";
import { AGENT_TOKEN, type AgentPage, agentPage } from "../web/support/agent-page.ts";

const HERE = "127.0.0.1";
const MEMORY_TOKEN = "the-token-of-the-memory";

/** What a phone may say; every other message of the protocol is refused, whichever come to be. */
const SAID_BY_PHONES = [
  "permission.answer",
  "queue.list",
  "session.start",
  "session.stop",
  "thread.history",
  "thread.list",
  "thread.subscribe",
];

describe("a paired phone", () => {
  let server: AgentPage;
  let door: string;
  const open: UiClient[] = [];

  beforeAll(async () => {
    server = await agentPage({ token: MEMORY_TOKEN, phones: { logRequests: true } });
    door = (await server.phones.open(HERE)).url;
  });

  afterEach(() => {
    for (const client of open.splice(0)) client.socket.terminate();
    for (const { name } of server.phones.list()) server.phones.revoke(name);
  });

  afterAll(() => server.end());

  const ask = async (method: string, url: string, token?: string, headers = {}) => {
    const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const answer = await fetch(url, {
      method,
      headers: { ...authorization, ...headers },
      redirect: "manual",
    });
    const text = await answer.text();
    return { status: answer.status, text };
  };
  const secretOf = (link: string) => new URL(link).hash.slice("#pair=".length);
  const newLink = async (wanted = {}) => secretOf((await server.phones.makeLink(wanted)).url);
  const pair = async (wanted = {}) => {
    const { status, text } = await ask("POST", `${door}/phone/session`, await newLink(wanted));
    expect(status).toBe(200);
    return JSON.parse(text) as { token: string; name: string; expires_at: string };
  };
  const connect = async (token: string, url = door) => {
    const client = await UiClient.connect(url, {}, `/ws?token=${token}`);
    open.push(client);
    client.send("session.start", { capabilities: ["permission"], client: "nobody else" });
    await client.waitForType("session.ready");
    return client;
  };

  it("is paired by a link that is good for once, and a second try is told of", async () => {
    const { url } = await server.phones.makeLink({ name: "ada" });
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/phone#pair=[\w-]{32}$/);
    const { status, text } = await ask("POST", `${door}/phone/session`, secretOf(url));
    expect([status, JSON.parse(text).name]).toEqual([200, "ada"]);
    expect((await ask("POST", `${door}/phone/session`, secretOf(url))).status).toBe(401);
    expect(server.warnings.at(-1)).toMatch(/opened a second time/);
  });

  it("is called after what it is where nobody names it", async () => {
    const headers = { "user-agent": "Mozilla/5.0 (Linux; Android 15; Pixel 9)" };
    const { text } = await ask("POST", `${door}/phone/session`, await newLink(), headers);
    expect(JSON.parse(text).name).toMatch(/^android-[0-9a-f]{4}$/);
  });

  it("opens no route of the server that has memory and agent", async () => {
    const { token } = await pair();
    const routes = [
      ...routesOf(createOperations()).map(({ method, template }) => [method, `/api/v1${template}`]),
      ...STORE_ROUTES.map(({ method, path }) => [method, `/api/v1${path}`]),
      ...["/health", "/metrics", "/docs", "/mcp", "/api/v1/openapi.json", "/agent", "/ws"].map(
        (path) => ["GET", path],
      ),
      ...["/mcp", "/agent/links", "/agent/session", "/agent/phones/links"].map((path) => [
        "POST",
        path,
      ]),
      ["GET", "/agent/phones"],
      ["DELETE", "/agent/phones/ada"],
    ] as [string, string][];
    expect(routes.length).toBeGreaterThan(80);
    for (const [method, template] of routes) {
      const path = template.replaceAll(/[:{]\w+\}?/g, "x");
      const { status } = await ask(method, server.url + path, token);
      expect([method, path, status]).toEqual([method, path, 401]);
    }
  });

  it("finds nothing else behind the address for phones, whatever token it brings", async () => {
    const { token } = await pair();
    const paths = ["/api/v1/stats", "/api/v1/databases", "/mcp", "/docs", "/metrics", "/health"];
    const others = ["/agent", "/agent/links", "/agent/phones", "/ui/", "/ui/default/find"];
    for (const path of [...paths, ...others]) {
      for (const method of ["GET", "POST", "DELETE"]) {
        expect([path, (await ask(method, door + path, token)).status]).toEqual([path, 404]);
        for (const wrong of [undefined, AGENT_TOKEN, MEMORY_TOKEN]) {
          expect([path, (await ask(method, door + path, wrong)).status]).toEqual([path, 401]);
        }
      }
    }
    expect((await ask("GET", `${door}/phone/waiting`, AGENT_TOKEN)).status).toBe(401);
    expect((await ask("GET", `${door}/phone/waiting`)).status).toBe(401);
    expect(JSON.parse((await ask("GET", `${door}/phone/waiting`, token)).text)).toEqual({
      conflicts: [],
      proposals: [],
    });
  });

  it("says nothing over the socket but answers", async () => {
    const client = await connect((await pair()).token);
    const payload = {
      ...{ threadId: "t", text: "rm -rf /", id: "0-2", typed: "", sinceSeq: 0 },
      ...{ questionId: "x", decision: "once" },
    };
    const refused: string[] = [];
    for (const type of Object.keys(clientMessages)) {
      if (type === "session.stop") continue;
      const from = client.received.length;
      client.send(type, payload);
      // Comes after whatever the message led to, since both are of no thread or the same one.
      client.send("thread.history", { threadId: "t" });
      await client.waitFor(
        (one) => one.type === "thread.history" || one.payload.code === "not_found",
        { from },
      );
      const answers = client.received.slice(from);
      if (answers.some((one) => one.payload.code === "forbidden")) refused.push(type);
    }
    expect(refused).toContain("message.user");
    expect([...refused, ...SAID_BY_PHONES].sort()).toEqual(Object.keys(clientMessages).sort());
    expect(server.host.list()).toEqual([]);
  });

  it("allows once or denies with words, and nothing for later", async () => {
    const { token, name } = await pair({ name: "ada" });
    const client = await connect(token);
    server.model.script(
      { toolCalls: [{ name: "shell", args: { command: "touch paid" } }] },
      { text: "Then not." },
    );
    await server.host.create({ threadId: "pay" });
    await server.host.send("pay", "Pay, please");
    const { payload: question } = await client.waitForType("permission.ask");
    expect(question.command).toBe("touch paid");
    const answer = { threadId: "pay", questionId: question.questionId };
    for (const decision of ["session", "always"]) {
      const from = client.received.length;
      client.send("permission.answer", { ...answer, decision });
      expect((await client.waitForType("error", { from })).payload.code).toBe("forbidden");
    }
    client.send("permission.answer", { ...answer, decision: "no", message: "Ask Bob first" });
    const { payload } = await client.waitForType("permission.settled");
    expect(payload.decision).toBe("no");
    await client.waitForPhase("pay", "idle");
    expect(JSON.stringify(server.model.requests.at(-1))).toContain("Ask Bob first");
    expect(name).toBe("ada");
    await server.host.delete("pay");
  });

  it("is gone from its socket within a second after it was revoked", async () => {
    const client = await connect((await pair({ name: "ada" })).token);
    await server.host.create({ threadId: "secret" });
    await client.waitForType("thread.created");
    server.phones.revoke("ada");
    expect(await client.closed).toBe(1008);
    const seen = client.received.length;
    await server.host.delete("secret");
    expect(client.received).toHaveLength(seen);
  });

  it("has a socket of its own door alone, and lets no others in there", async () => {
    const { token } = await pair();
    const port = Number(new URL(door).port);
    expect(await upgrade(port, token, {})).toBe(101);
    expect(await upgrade(server.port, token, {})).toBe(401);
    for (const wrong of [AGENT_TOKEN, MEMORY_TOKEN, "", undefined]) {
      expect([wrong, await upgrade(port, wrong, {})]).toEqual([wrong, 401]);
    }
  });

  it("is refused under a name of others, and from pages of others", async () => {
    const { token } = await pair();
    const port = Number(new URL(door).port);
    const foreign = [
      { host: "evil.example" },
      { host: `evil.example:${port}` },
      { host: `127.0.0.1.nip.io:${port}` },
      { origin: "http://evil.example" },
      { origin: `https://127.0.0.1:${port}` },
      { origin: "http://127.0.0.1:1" },
      { origin: "null" },
      { "sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors" },
    ];
    for (const headers of foreign) {
      expect([headers, await upgrade(port, token, headers)]).toEqual([headers, 403]);
    }
    for (const headers of foreign.filter((one) => one.host === undefined)) {
      for (const path of ["/phone/me", "/phone/waiting", "/phone", "/ui/assets/icon.svg"]) {
        const { status } = await ask("GET", door + path, token, headers);
        expect([path, headers, status]).toEqual([path, headers, 403]);
      }
      const link = await newLink();
      expect((await ask("POST", `${door}/phone/session`, link, headers)).status).toBe(403);
    }
    expect(await upgrade(port, token, { origin: door })).toBe(101);
  });

  it("leaves neither its token nor a link in the log", async () => {
    const link = await newLink();
    const { text } = await ask("POST", `${door}/phone/session`, link);
    const { token } = JSON.parse(text);
    await connect(token);
    await ask("GET", `${door}/ws?token=${token}`);
    await ask("GET", `${door}/phone/me?token=${token}`);
    await ask("GET", `${door}/phone/me`, token);
    const log = server.log.join("\n");
    expect(log).toContain("/phone/me");
    expect(log).not.toContain(token);
    expect(log).not.toContain(link);
  });
});

describe("who may pair phones", () => {
  let server: AgentPage;

  afterEach(() => server.end());

  const ask = async (method: string, path: string, body?: object) => {
    const answer = await fetch(server.url + path, {
      method,
      headers: { authorization: `Bearer ${AGENT_TOKEN}`, "content-type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    return { status: answer.status, body: text === "" ? undefined : JSON.parse(text) };
  };

  it("says where they are let in, and listens nowhere before", async () => {
    server = await agentPage();
    expect(await ask("GET", "/agent/phones")).toEqual({ status: 200, body: { phones: [] } });
    const nowhere = await ask("POST", "/agent/phones/links", {});
    expect([nowhere.status, nowhere.body.error.message]).toEqual([
      400,
      expect.stringContaining("--lan"),
    ]);
    const { body } = await ask("POST", "/agent/phones/links", { address: HERE, name: "ada" });
    expect(body).toMatchObject({
      warning: expect.stringContaining("http"),
      rows: expect.anything(),
    });
    const again = await ask("POST", "/agent/phones/links", { address: "0.0.0.0" });
    expect([again.status, again.body.error.message]).toEqual([
      409,
      expect.stringContaining("already"),
    ]);
    expect((await ask("GET", "/agent/phones")).body.url).toMatch(/^http:/);
    expect((await ask("POST", "/agent/phones/links", { expires: "soon" })).status).toBe(400);
    expect((await ask("POST", "/agent/phones/links", { port: 1 })).status).toBe(400);
  });

  it("sees who is paired, and takes it back", async () => {
    server = await agentPage();
    const { body } = await ask("POST", "/agent/phones/links", { address: HERE, name: "ada" });
    const { origin, hash } = new URL(body.url);
    const authorization = `Bearer ${hash.slice("#pair=".length)}`;
    await fetch(`${origin}/phone/session`, { method: "POST", headers: { authorization } });
    const { phones } = (await ask("GET", "/agent/phones")).body;
    expect(phones).toMatchObject([{ name: "ada", scope: "answer" }]);
    expect((await ask("POST", "/agent/phones/links", { name: "ada" })).status).toBe(409);
    expect((await ask("DELETE", "/agent/phones/ada")).status).toBe(204);
    expect((await ask("DELETE", "/agent/phones/ada")).status).toBe(404);
    expect((await ask("GET", "/agent/phones")).body.phones).toEqual([]);
  });

  it("holds up whoever guesses links", async () => {
    server = await agentPage();
    const { url } = await server.phones.makeLink({ address: HERE });
    const { origin, hash } = new URL(url);
    const open = async (link: string) => {
      const headers = { authorization: `Bearer ${link}` };
      return (await fetch(`${origin}/phone/session`, { method: "POST", headers })).status;
    };
    for (let count = 0; count < 10; count += 1) {
      expect(await open(`guess-${count}`)).toBe(401);
    }
    expect(await open(hash.slice("#pair=".length))).toBe(503);
  });

  it("speaks https with a certificate of one's own", async () => {
    const folder = mkdtempSync(join(tmpdir(), "cairn-tls-"));
    const authority = new CertificateAuthority("Home");
    const { cert, key } = authority.certify(HERE);
    writeFileSync(join(folder, "cert.pem"), cert);
    writeFileSync(join(folder, "key.pem"), key);
    const tls = { tlsCert: join(folder, "cert.pem"), tlsKey: join(folder, "key.pem") };
    server = await agentPage({ phones: tls });
    const { url, warning } = await server.phones.makeLink({ address: HERE });
    expect([new URL(url).protocol, warning]).toEqual(["https:", undefined]);
    const { origin, hash, port } = new URL(url);
    const secret = hash.slice("#pair=".length);
    const status = await askSecurely(origin, authority.cert, secret);
    expect(status).toBe(200);
    expect(Number(port)).toBeGreaterThan(0);
    rmSync(folder, { recursive: true, force: true });
  });

  it("says which file is no certificate", async () => {
    server = await agentPage({
      phones: { tlsCert: "/nowhere/cert.pem", tlsKey: "/nowhere/key.pem" },
    });
    const { status, body } = await ask("POST", "/agent/phones/links", { address: HERE });
    expect([status, body.error.message]).toEqual([400, expect.stringContaining("tlsCert:")]);
  });

  it("names the proxy in front, and answers under its name", async () => {
    server = await agentPage({ phones: { phoneUrl: "https://box.tailnet.example" } });
    const { url, warning } = await server.phones.makeLink({});
    expect(url).toMatch(/^https:\/\/box\.tailnet\.example\/phone#pair=/);
    expect(warning).toBeUndefined();
    const { token } = await fetchAs(server, url);
    const port = await portOf(server);
    const through = { host: "box.tailnet.example", origin: "https://box.tailnet.example" };
    expect(await upgrade(port, token, through)).toBe(101);
    expect(await upgrade(port, token, { ...through, origin: "https://evil.example" })).toBe(403);
  });
});

async function fetchAs(server: AgentPage, url: string): Promise<{ token: string }> {
  const authorization = `Bearer ${new URL(url).hash.slice("#pair=".length)}`;
  const here = `http://${HERE}:${await portOf(server)}/phone/session`;
  const answer = await fetch(here, { method: "POST", headers: { authorization } });
  return (await answer.json()) as { token: string };
}

/** Where the address for phones really is, whatever proxy stands in front of it. */
async function portOf(server: AgentPage): Promise<number> {
  return (await server.phones.open(HERE)).port;
}

function askSecurely(origin: string, ca: string, secret: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const asked = request(
      `${origin}/phone/session`,
      {
        ca,
        method: "POST",
        timeout: patiently(5_000),
        headers: { authorization: `Bearer ${secret}`, origin },
      },
      ({ statusCode }) => resolve(statusCode),
    );
    asked.once("error", reject);
    asked.end();
  });
}
