import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { MessageOutput } from "../../../src/agent/index.ts";
import { agentSettings } from "../../../src/agent/settings.ts";
import { type GuardedServer, startGuardedServer } from "../support/guarded-mcp-server.ts";
import { type Harness, startHarness } from "../support/thread-harness.ts";

let server: GuardedServer;
let harness: Harness;
beforeEach(async () => {
  server = await startGuardedServer();
  const mcpServers = { desk: { url: server.url }, local: { command: "none", disabled: true } };
  const permission = { rules: [{ tool: "mcp__desk__*", action: "allow" }] };
  harness = await startHarness({
    answers: [{ toolCalls: [{ name: "mcp__desk__add", args: { a: 2, b: 3 } }] }, { text: "done" }],
    settings: agentSettings.parse({ sandbox: false, permission, mcpServers }),
  });
});
afterEach(async () => {
  await harness.close();
  server.close();
});

/** Runs a slash command and opens every login URL that it prints. */
async function type(text: string, visit: (url: string) => void = browse): Promise<string> {
  const lines: string[] = [];
  const tell = (line: string) => {
    lines.push(line);
    const url = /in your browser: (\S+)/.exec(line)?.[1];
    if (url !== undefined) visit(url);
  };
  const dialogue: MessageOutput = { info: tell, success: tell, print: tell, error: tell };
  await harness.host.runImmediate(text, { dialogue, threadId: undefined, sessions: {} });
  return lines.join("\n");
}

const browse = (url: string) => void fetch(url).then((page) => page.text());
const loginFile = () => join(harness.options.userConfigDir, "mcp-logins.json");
const stateOf = () => harness.host.mcpServers.list()[0];

async function untilState(state: string): Promise<void> {
  await expect.poll(() => stateOf()?.state).toBe(state);
}

it("reports a required login, logs in with the browser, and calls the server's tools", async () => {
  await expect.poll(() => stateOf()?.problem).toMatch(/\/mcp login desk logs in with your browser/);
  expect(await type("/mcp login desk")).toMatch(/Log in to desk[\s\S]*desk: ● ready/);
  await harness.say("add");
  expect(harness.events).toContainEqual(
    expect.objectContaining({ type: "tool.result", name: "mcp__desk__add", summary: "sum 5" }),
  );
  expect((await stat(loginFile())).mode & 0o777).toBe(0o600);
});

it("stays logged in after a restart, and refreshes expired tokens", async () => {
  await type("/mcp login desk");
  harness = await harness.restart();
  await untilState("ready");
  server.expire();
  harness = await harness.restart();
  await untilState("ready");
  expect(server.grants).toEqual(["authorization_code", "refresh_token"]);
});

it("requires a new login when the refresh fails", async () => {
  await type("/mcp login desk");
  server.expire({ renewals: false });
  harness = await harness.restart();
  await expect.poll(() => stateOf()?.problem).toMatch(/\/mcp login desk/);
  expect(await type("/mcp login desk")).toContain("desk: ● ready");
});

it("refreshes once for two concurrent processes", async () => {
  await type("/mcp login desk");
  const clients = [startClient(), startClient()];
  for (const { next } of clients) expect(await next()).toBe("ready");
  for (let round = 1; round <= 3; round += 1) {
    server.expire();
    server.holdTokensUntil(2);
    for (const { child } of clients) child.stdin.write("add\n");
    for (const { next } of clients) expect(await next()).toContain("5");
    expect(server.grants.filter((grant) => grant === "refresh_token")).toHaveLength(round);
  }
  expect(server.refused).toEqual([]);
  const codes = clients.map(({ child }) => once(child, "close"));
  for (const { child } of clients) child.stdin.end();
  expect(await Promise.all(codes)).toEqual([
    [0, null],
    [0, null],
  ]);
  harness = await harness.restart();
  await untilState("ready");
});

it("keeps the earlier login if a new one is rejected", async () => {
  await type("/mcp login desk");
  const before = await readFile(loginFile(), "utf8");
  server.agrees = false;
  expect(await type("/mcp login desk")).toContain("The login was denied: access_denied.");
  expect(await readFile(loginFile(), "utf8")).toBe(before);
  server.expire();
  harness = await harness.restart();
  await untilState("ready");
});

function startClient() {
  const script = join(import.meta.dirname, "../support/renewing-client.ts");
  const child = spawn(process.execPath, ["--import", "tsx", script, loginFile(), server.url], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return { child, next: async () => (await lines.next()).value };
}

it("reports a denial, stores nothing, and rejects a code without its state", async () => {
  server.agrees = false;
  expect(await type("/mcp login desk")).toContain("The login was denied: access_denied.");
  await expect(stat(loginFile())).rejects.toThrow("ENOENT");
  server.agrees = true;
  const stranger = async (url: string) => {
    const back = new URL(new URL(url).searchParams.get("redirect_uri") ?? "");
    back.search = "?code=stolen&state=guessed";
    expect((await fetch(back)).status).toBe(400);
    browse(url);
  };
  expect(await type("/mcp login desk", (url) => void stranger(url))).toContain("● ready");
});

it.each([
  ["/mcp login dsk", 'no MCP server "dsk". Did you mean "desk"?'],
  ["/mcp login local", '"local" is a local program and has no login.'],
])("%s is refused", async (text, message) => {
  expect(await type(text)).toContain(message);
});
