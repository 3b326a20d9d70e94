import { once } from "node:events";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { UiClient } from "../../support/ui-client.ts";
import { waitFixedTime } from "../../support/wait-fixed-time.ts";
import { rawRequest, requestText } from "../http/raw-request.ts";
import { randomFrame } from "./random-frame.ts";
import { openUiServer } from "./ui-server.ts";

describe("frames", () => {
  it.each([
    ["{", /not JSON.*line 1, column 2/],
    ["", /not JSON/],
    ["null", /"type"/],
    ["[]", /"type"/],
    ['[{"type":"thread.list"}]', /"type"/],
    ["42", /"type"/],
    ["{}", /"type"/],
    ['{"type":7}', /"type"/],
    [
      '{"type":"mesage.user"}',
      /Unknown message type "mesage\.user"\. Did you mean "message\.user"/,
    ],
    ['{"type":"__proto__"}', /Unknown message type/],
    ['{"type":"constructor"}', /Unknown message type/],
    ['{"type":"thread.list","payload":[]}', /payload is not valid/],
    ['{"type":"thread.delete"}', /payload\.threadId/],
    [
      '{"type":"thread.delete","payload":{"threadId":"../../etc"}}',
      /payload\.threadId must be 1 to 128/,
    ],
    ['{"type":"thread.create","payload":{"threadId":""}}', /payload\.threadId must be 1 to 128/],
    ['{"type":"thread.create","payload":{"threadId":7}}', /payload\.threadId/],
    [`{"type":"thread.create","payload":{"threadId":"${"x".repeat(129)}"}}`, /payload\.threadId/],
    ['{"type":"message.user","payload":{"threadId":"a"}}', /payload\.text/],
    ['{"type":"message.user","payload":{"threadId":"a","text":["x"]}}', /payload\.text/],
    ["[".repeat(500_000), /not JSON/],
    [
      `{"type":"thread.list","payload":${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}}`,
      undefined,
    ],
  ])(
    "that are invalid are reported to their sender, who stays connected: %.60s",
    async (text, message) => {
      const { connect } = await openUiServer();
      const [sender, other] = [await connect(), await connect()];
      sender.sendRaw(text);
      if (message !== undefined) {
        const { payload } = await sender.waitForType("error");
        expect(payload.code).toBe("invalid_input");
        expect(payload.message).toMatch(message);
        expect(payload.message.length).toBeLessThan(500);
      }
      await sender.settle();
      await other.settle();
      expect(other.received.some(({ type }) => type === "error")).toBe(false);
    },
  );

  it("with an invalid thread id are reported with that id", async () => {
    const { connect } = await openUiServer();
    const client = await connect();
    client.send("thread.delete", { threadId: "no such thread!" });
    const { payload } = await client.waitForType("error");
    expect(payload).toMatchObject({ threadId: "no such thread!", code: "invalid_input" });
  });

  it("that are binary are reported to their sender", async () => {
    const { connect } = await openUiServer();
    const client = await connect();
    client.sendRaw(Buffer.from('{"type":"thread.list"}'));
    expect((await client.waitForType("error")).payload.message).toContain("text frames");
  });

  it("up to a megabyte are accepted; larger ones close the socket with 1009", async () => {
    const { connect, host, url } = await openUiServer();
    await host.create({ threadId: "a" });
    const empty = JSON.stringify({ type: "message.user", payload: { threadId: "a", text: "" } });
    const fits = "x".repeat(1024 * 1024 - empty.length);
    const client = await connect();
    client.send("message.user", { threadId: "a", text: fits });
    await client.settle();
    expect(host.calls).toContainEqual(["send", "a", fits]);
    client.send("message.user", { threadId: "a", text: `${fits}x` });
    expect(await client.closed).toBe(1009);
    const huge = await connect();
    huge.sendRaw("x".repeat(10 * 1024 * 1024));
    expect(await huge.closed).toBe(1009);
    expect((await fetch(`${url}/health`)).status).toBe(200);
  });

  it("of invalid UTF-8 close the socket with 1007", async () => {
    const { connect } = await openUiServer();
    const client = await connect();
    client.socket.send(Buffer.from([0xff, 0xfe]), { binary: false });
    expect(await client.closed).toBe(1007);
  });

  it("at random do not end any session", async () => {
    const { connect, host, url, logged } = await openUiServer();
    await host.create({ threadId: "a" });
    const [attacker, bystander] = [await connect(), await connect()];
    for (const text of fc.sample(randomFrame, { numRuns: 1_000, seed: 7 }))
      attacker.sendRaw(text ?? "");
    await attacker.settle();
    await bystander.settle();
    expect(attacker.received.length).toBeGreaterThan(300);
    expect(logged).toEqual([]);
    expect((await fetch(`${url}/health`)).status).toBe(200);
  });

  it("that violate the protocol close only that socket", async () => {
    const { connect, port } = await openUiServer();
    const bystander = await connect();
    const upgrade = requestText({
      path: "/ws",
      headers: {
        Host: "localhost",
        Connection: "Upgrade",
        Upgrade: "websocket",
        "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
      },
    });
    expect(await rawRequest(port, `${upgrade}\u007f\u007f\u007fnot a frame`)).toMatch(
      /^HTTP\/1\.1 101/,
    );
    await bystander.settle();
  });
});

describe("the upgrade", () => {
  const websocket = {
    Connection: "Upgrade",
    Upgrade: "websocket",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
  };
  const attempt = (port: number, path: string, headers: Record<string, string>) =>
    rawRequest(port, requestText({ path, headers: { ...websocket, ...headers } }));

  it.each(["//", "/", "/ws/", "/ws//", "//ws", "/WS", "http://[", "/%", "*", "/health", "?"])(
    "at %s is rejected and the server continues",
    async (path) => {
      const { port, url } = await openUiServer();
      const answer = await attempt(port, path, { Host: "localhost" });
      expect(answer).toMatch(/^HTTP\/1\.1 40[04] [\s\S]*"code":/);
      expect((await fetch(`${url}/health`)).status).toBe(200);
    },
  );

  it("with a foreign Host or Origin is rejected on every path", async () => {
    const { port } = await openUiServer();
    for (const path of ["/ws", "/", "//", "/health"]) {
      for (const headers of [
        { Host: "evil.test" },
        { Host: `evil.test:${port}`, Origin: `http://evil.test:${port}` },
        { Host: `localhost:${port}`, Origin: "https://evil.test" },
        { Host: `localhost:${port}`, Origin: `http://localhost:${port + 1}` },
        { Host: `localhost:${port}`, Origin: "null" },
      ] as Record<string, string>[]) {
        expect(await attempt(port, path, headers)).toMatch(/^HTTP\/1\.1 403 [\s\S]*"forbidden"/);
      }
    }
  });

  it("from the server's page or an allowed origin is accepted", async () => {
    const { url, port } = await openUiServer({ allowOrigin: ["https://app.test"] });
    for (const origin of [
      `http://127.0.0.1:${port}`,
      `http://localhost:${port}`,
      "https://app.test",
    ]) {
      const client = await UiClient.connect(url, { origin });
      await client.waitForType("session.ready");
      await client.close();
    }
  });

  it("requires the token in header or query", async () => {
    const { url, port } = await openUiServer({ token: "s3cret" });
    for (const path of ["/ws", "/ws?token=", "/ws?token=s3cre", "/ws?Token=s3cret"]) {
      expect(await attempt(port, path, { Host: "localhost" })).toMatch(/^HTTP\/1\.1 401 /);
    }
    const byQuery = await UiClient.connect(url, {}, "/ws?token=s3cret");
    await byQuery.waitForType("session.ready");
    const byHeader = await UiClient.connect(url, { headers: { authorization: "Bearer s3cret" } });
    await byHeader.waitForType("session.ready");
    await Promise.all([byQuery.close(), byHeader.close()]);
    expect((await fetch(`${url}/health`)).status).toBe(401);
  });

  it.each([
    [{ "Sec-WebSocket-Version": "1" }],
    [{ "Sec-WebSocket-Key": "short" }],
    [{ Upgrade: "h2c" }],
  ])("that is malformed is rejected: %j", async (headers) => {
    const { port, url } = await openUiServer();
    expect(await attempt(port, "/ws", { Host: "localhost", ...headers })).toMatch(
      /^HTTP\/1\.1 400 /,
    );
    expect((await fetch(`${url}/health`)).status).toBe(200);
  });

  it("above the client limit is rejected until one disconnects", async () => {
    const { connect, port } = await openUiServer({}, { maxClients: 2 });
    const first = await connect();
    await connect();
    expect(await attempt(port, "/ws", { Host: "localhost" })).toMatch(
      /^HTTP\/1\.1 503 [\s\S]*"busy"/,
    );
    await first.close();
    const third = await connect();
    await third.waitForType("session.ready");
  });
});

describe("a client that stops reading", () => {
  it("is disconnected with 1013 without affecting others", async () => {
    const { connect, host } = await openUiServer({ limits: { outboundBytes: 500_000 } });
    await host.create({ threadId: "a" });
    const [stuck, reading] = [await connect(), await connect()];
    await stuck.settle();
    stuck.send("message.user", { threadId: "a", text: "go" });
    await stuck.settle();
    stuck.socket.pause();
    const text = "x".repeat(50_000);
    for (let i = 0; i < 400; i += 1) {
      host.emit("a", { type: "assistant.delta", text });
      if (i % 5 === 0) await reading.waitFor(({ payload }) => payload.seq === i + 2);
    }
    await reading.waitFor(({ payload }) => payload.seq === 401);
    expect(reading.socket.readyState).toBe(WebSocket.OPEN);
    stuck.socket.resume();
    expect(await stuck.closed).toBe(1013);
    expect(stuck.closeReason).toMatch(/too slowly/);
    const again = await connect();
    again.send("thread.subscribe", { threadId: "a", sinceSeq: stuck.seqs("a").at(-1) ?? 0 });
    await again.waitFor(({ payload }) => payload.seq === 401);
  });

  it("may receive a single message above the queue limit", async () => {
    const { connect, host } = await openUiServer({ limits: { outboundBytes: 500_000 } });
    await host.create({ threadId: "a" });
    const client = await connect();
    await client.settle();
    client.send("message.user", { threadId: "a", text: "go" });
    await client.settle();
    for (let seq = 0; seq < 3; seq += 1) {
      const from = client.received.length;
      host.emit("a", { type: "assistant.done", text: "x".repeat(20_000_000) });
      host.emit("a", { type: "status", phase: "idle" });
      await client.waitForPhase("a", "idle", { from });
    }
    expect(client.socket.readyState).toBe(WebSocket.OPEN);
  });

  it("is disconnected after one such message too", async () => {
    const { connect, host } = await openUiServer({ limits: { outboundBytes: 500_000 } });
    await host.create({ threadId: "a" });
    const client = await connect();
    await client.settle();
    client.send("message.user", { threadId: "a", text: "go" });
    await client.settle();
    client.socket.pause();
    for (let index = 0; index < 2; index += 1) {
      host.emit("a", { type: "assistant.done", text: "x".repeat(20_000_000) });
    }
    client.socket.resume();
    expect(await client.closed).toBe(1013);
  });

  it("does not fill memory with error responses", async () => {
    const { connect } = await openUiServer({ limits: { outboundBytes: 100_000 } });
    const client = await connect();
    await client.settle();
    client.socket.pause();
    for (let i = 0; i < 60_000; i += 1) client.sendRaw("{");
    await waitFixedTime(500, "stalled client");
    client.socket.resume();
    expect(await client.closed).toBe(1013);
  });
});

it("a fast sender is throttled without losing messages", async () => {
  const { connect, host } = await openUiServer();
  await host.create({ threadId: "a" });
  host.onSend = () => new Promise((resolve) => setImmediate(resolve));
  const client = await connect();
  for (let i = 0; i < 2_000; i += 1)
    client.send("message.user", { threadId: "a", text: String(i) });
  client.send("thread.list");
  await client.waitForType("thread.list");
  const sent = host.calls.filter(([name]) => name === "send").map(([, , text]) => Number(text));
  expect(sent).toEqual(Array.from({ length: 2_000 }, (_value, index) => index));
});

it("a vanished socket is cleaned up", async () => {
  const { connect, host, url } = await openUiServer();
  await host.create({ threadId: "a" });
  const client = await connect();
  client.send("message.user", { threadId: "a", text: "x" });
  client.socket.terminate();
  await once(client.socket, "close");
  host.emit("a", { type: "assistant.delta", text: "x" });
  expect((await fetch(`${url}/health`)).status).toBe(200);
});
