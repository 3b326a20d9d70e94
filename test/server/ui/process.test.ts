// @module-tag long: starts and kills processes.
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { CairnProcess, createCairnFolders } from "../../support/cairn-process.ts";
import { type ScriptedAnswer, startScriptedModel } from "../../support/scripted-model.ts";
import { UiClient } from "../../support/ui-client.ts";
import { rawRequest, requestText } from "../http/raw-request.ts";

async function scripted(...answers: readonly ScriptedAnswer[]) {
  const model = await startScriptedModel(...answers);
  onTestFinished(() => model.close());
  const env = {
    CAIRN_PROVIDER: "openai-compatible",
    CAIRN_MODEL: "scripted",
    CAIRN_BASE_URL: model.baseUrl,
    CAIRN_SANDBOX: "false",
    CAIRN_PERMISSION_MODE: "auto",
    CAIRN_UI_PORT: "0",
  };
  return { model, env };
}

async function connect(url: string): Promise<UiClient> {
  const client = await UiClient.connect(url);
  onTestFinished(() => client.socket.terminate());
  return client;
}

const SLEEPERS = "echo $$ > own.pid; sleep 300 & echo $! > child.pid; sleep 301";

async function sleeperIds(project: string): Promise<number[]> {
  const files = ["own.pid", "child.pid"].map((name) => join(project, name));
  await expect.poll(() => files.every(existsSync), { timeout: 30_000 }).toBe(true);
  const ids = () => files.map((file) => Number(readFileSync(file, "utf8")));
  await expect.poll(() => ids().every((id) => id > 0)).toBe(true);
  return ids();
}

function isAlive(id: number): boolean {
  try {
    process.kill(id, 0);
    // Zombie: ended, but not yet reaped.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${id}/status`, "utf8"));
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === "ESRCH" || code === "ENOENT") return false;
    throw error;
  }
}

describe("cairn ui-server", () => {
  it("prints its URL, serves its folder and exits with 0", async () => {
    const place = createCairnFolders();
    const { env } = await scripted();
    const server = await CairnProcess.start({ place, env, args: ["ui-server"] });
    const url = await server.ready();
    const health = await (await fetch(`${url}/health`)).json();
    expect(health).toEqual({ ok: true, protocolVersion: 2, cwd: place.project, threadCount: 0 });
    const client = await connect(url);
    const ready = await client.waitForType("session.ready");
    expect(ready.payload).toMatchObject({
      protocolVersion: 2,
      model: "scripted",
      provider: "openai-compatible",
      cwd: place.project,
      sandbox: expect.stringMatching(/^off/),
    });
    server.child.kill("SIGINT");
    expect(await server.exited).toEqual({ code: 0, signal: null });
    expect(await client.closed).toBe(1001);
    expect(server.stderr.trim().split("\n")).toHaveLength(1);
    expect(server.stdout).toBe("");
  });

  it("on a port in use prints one line and exits with 1", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    onTestFinished(() => void other.close());
    await new Promise((resolve) => other.once("listening", resolve));
    const { port } = other.address() as { port: number };
    const args = ["ui-server", "--ui-port", String(port)];
    const server = await CairnProcess.start({ place: createCairnFolders(), args });
    expect(await server.exited).toEqual({ code: 1, signal: null });
    expect(server.stderr).toMatch(new RegExp(`^cairn: error: Port ${port} .* in use.*\\n$`));
  });

  it("does not listen beyond this machine without a token", async () => {
    const args = ["ui-server", "--ui-host", "0.0.0.0", "--ui-port", "0"];
    const server = await CairnProcess.start({ place: createCairnFolders(), args });
    expect((await server.exited).code).not.toBe(0);
    expect(server.stderr).toMatch(/--token.*CAIRN_TOKEN/);
    expect(server.stderr).not.toContain("listening");
  });

  it("starts without a key; messages fail naming the variable", async () => {
    const server = await CairnProcess.start({
      place: createCairnFolders(),
      args: ["ui-server", "--ui-port", "0"],
    });
    const client = await connect(await server.ready());
    client.send("thread.create", { threadId: "a" });
    client.send("message.user", { threadId: "a", text: "hello" });
    const { payload } = await client.waitForType("error");
    expect(payload.message).toMatch(/OPENAI_API_KEY|CAIRN_API_KEY/);
    await client.waitForPhase("a", "idle");
  });
});

describe("SIGTERM in the middle of everything", () => {
  it("exits within five seconds, notifies clients, and leaves no processes", async () => {
    const place = createCairnFolders();
    const { env, model } = await scripted();
    model.respond(({ body }) => {
      const text = JSON.stringify(body.messages);
      if (text.includes("RUN-IT"))
        return { toolCalls: [{ name: "shell", args: { command: SLEEPERS } }] };
      if (text.includes("TALK-ON")) return { text: Array(2_000).fill("word "), chunkDelayMs: 5 };
      return { hang: true };
    });
    const server = await CairnProcess.start({ place, env, args: ["ui-server"] });
    const url = await server.ready();
    const [client, stuck] = [await connect(url), await connect(url)];
    for (const [threadId, text] of [
      ["shell", "RUN-IT"],
      ["stream", "TALK-ON"],
      ["hang", "WAIT"],
    ]) {
      client.send("thread.create", { threadId });
      client.send("message.user", { threadId, text });
      client.send("message.user", { threadId, text: "one more" });
    }
    const ids = await sleeperIds(place.project);
    await client.waitForType("assistant.delta");
    await model.waitForRequests(3);
    stuck.socket.pause();

    const started = performance.now();
    server.child.kill("SIGTERM");
    expect(await server.exited).toEqual({ code: 0, signal: null });
    expect(performance.now() - started).toBeLessThan(15_000);
    expect(ids.filter(isAlive)).toEqual([]);
    expect(await client.closed).toBe(1001);
    for (const threadId of ["shell", "stream", "hang"]) {
      const phases = client.received.flatMap(({ payload }) =>
        payload.threadId === threadId && payload.phase ? [payload.phase] : [],
      );
      expect(phases).toContain("aborted");
      expect(phases.at(-1)).toBe("idle");
    }
  });
});

describe("kill -9 in the middle of a run", () => {
  it("preserves a thread that the model can continue", async () => {
    const place = createCairnFolders();
    const { env, model } = await scripted(
      { text: "Looking.", toolCalls: [{ name: "shell", args: { command: SLEEPERS } }] },
      { text: "Back again." },
    );
    const first = await CairnProcess.start({ place, env, args: ["ui-server"] });
    const before = await connect(await first.ready());
    before.send("thread.create", { threadId: "a", systemPromptPrefix: "You are Ada." });
    before.send("message.user", { threadId: "a", text: "look around" });
    const ids = await sleeperIds(place.project);
    onTestFinished(() => {
      for (const id of ids.filter(isAlive)) process.kill(id, "SIGKILL");
    });
    await before.waitForType("tool.call");
    const seen = before.seqs("a").at(-1) ?? 0;
    first.child.kill("SIGKILL");
    await first.exited;

    const second = await CairnProcess.start({ place, env, args: ["ui-server"] });
    const after = await connect(await second.ready());
    after.send("thread.list");
    const { payload } = await after.waitForType("thread.list");
    expect(payload.threads).toMatchObject([{ threadId: "a", isRunning: false }]);
    expect(payload.threads[0].messageCount).toBeGreaterThan(0);
    after.send("message.user", { threadId: "a", text: "and now?" });
    const done = await after.waitForType("assistant.done");
    expect(done.payload.text).toBe("Back again.");
    expect(done.payload.seq).toBeGreaterThan(seen);

    const messages = model.requests.at(-1)?.body.messages ?? [];
    expect(String(messages[0]?.content)).toContain("You are Ada.");
    const requests = messages.flatMap(({ tool_calls = [] }) => tool_calls.map(({ id }) => id));
    const answered = messages.flatMap(({ tool_call_id }) => tool_call_id ?? []);
    expect(requests).toHaveLength(1);
    expect(answered).toEqual(requests);
    expect(JSON.stringify(messages)).toContain("look around");
  });
});

it("arbitrary client bytes do not end the process", async () => {
  const place = createCairnFolders();
  const { env } = await scripted();
  const server = await CairnProcess.start({ place, env, args: ["ui-server"] });
  const url = await server.ready();
  const port = Number(new URL(url).port);
  const upgrade = {
    Connection: "Upgrade",
    Upgrade: "websocket",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
  };
  for (const path of ["//", "/\\", "http://[", "*", "/ws/../", "/%00", "/ws"]) {
    for (const Host of ["localhost", "evil.test", "[", ""]) {
      const headers = { ...upgrade, Host, Origin: "https://evil.test" };
      expect(await rawRequest(port, requestText({ path, headers }))).toMatch(/^HTTP\/1\.1 4/);
      const plain = { Host, Origin: "https://evil.test" };
      expect(await rawRequest(port, requestText({ path, headers: plain }))).toMatch(
        /^HTTP\/1\.1 4/,
      );
    }
  }
  const garbage = fc.sample(fc.uint8Array({ minLength: 1, maxLength: 200 }), {
    numRuns: 100,
    seed: 3,
  });
  for (const bytes of garbage) {
    const text = Buffer.from(bytes).toString("latin1");
    expect(await rawRequest(port, `${text}\r\n\r\n`)).toMatch(/^HTTP\/1\.1 400 /);
  }
  const client = await connect(url);
  client.send("thread.create", { threadId: "a" });
  for (const value of fc.sample(fc.anything(), { numRuns: 100, seed: 5 })) {
    client.sendRaw(JSON.stringify({ type: "message.user", payload: value }) ?? "");
    client.sendRaw(JSON.stringify(value) ?? "undefined");
  }
  await client.settle();
  client.sendRaw("x".repeat(10 * 1024 * 1024));
  expect(await client.closed).toBe(1009);
  expect((await fetch(`${url}/health`)).status).toBe(200);
  server.child.kill("SIGTERM");
  expect(await server.exited).toEqual({ code: 0, signal: null });
  expect(server.stderr).not.toMatch(/\n\s+at /);
});
