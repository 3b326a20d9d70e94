// @module-tag long: starts server processes.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { ResourceUpdatedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { describe, expect, it, onTestFinished } from "vitest";
import { buildCli } from "../../support/built-cli.ts";
import { temporaryFolder } from "../../support/memory-server.ts";
import { backendVariables } from "../../support/test-backend.ts";
import { textOf } from "./mcp-client.ts";

const environment = (dataDir: string) => ({
  PATH: process.env.PATH ?? "",
  HOME: dataDir,
  ...backendVariables(dataDir),
  CAIRN_EMBEDDING_PROVIDER: "none",
});

async function start(): Promise<ChildProcess & { stdin: NonNullable<ChildProcess["stdin"]> }> {
  const child = spawn(process.execPath, [await buildCli(), "mcp"], {
    env: environment(temporaryFolder()),
  });
  onTestFinished(() => {
    child.kill("SIGKILL");
  });
  return child;
}

async function textFrom(stream: NodeJS.ReadableStream | null): Promise<string> {
  let text = "";
  for await (const chunk of stream ?? []) text += chunk;
  return text;
}

describe("cairn mcp", { timeout: 90_000 }, () => {
  it("stores, recalls and notifies subscribers with the SDK's client", async () => {
    const args = [await buildCli(), "mcp"];
    const env = environment(temporaryFolder());
    const transport = new StdioClientTransport({ command: process.execPath, args, env });
    const client = new Client({ name: "test", version: "1" });
    await client.connect(transport);
    await client.callTool({ name: "remember", arguments: { content: "Tea at four" } });
    const found = await client.callTool({ name: "recall", arguments: { query: "tea" } });
    expect(textOf(found)).toContain("Tea at four");
    const reporting = new Promise((resolve) => {
      client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) =>
        resolve(params.uri),
      );
    });
    await client.subscribeResource({ uri: "memory://stats" });
    await client.callTool({ name: "remember", arguments: { content: "Cake at five" } });
    expect(await reporting).toBe("memory://stats");
    await client.close();
  });

  it("prints only protocol, finishes requests and exits with its input", async () => {
    const child = await start();
    const requests = [
      { jsonrpc: "2.0", id: 1, method: "initialize", params: INITIALIZE },
      { jsonrpc: "2.0", method: "notifications/initialized" },
      { jsonrpc: "2.0", id: 2, method: "tools/call", params: { name: "stats", arguments: {} } },
    ];
    child.stdin.write("this is no JSON\n\n");
    child.stdin.end(requests.map((request) => `${JSON.stringify(request)}\n`).join(""));
    const [printed, [code]] = await Promise.all([textFrom(child.stdout), once(child, "exit")]);
    const answers = printed
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(answers.map((answer) => answer.id)).toEqual([null, 1, 2]);
    expect(answers[0].error.code).toBe(-32700);
    expect(code).toBe(0);
  });

  it.each(["SIGTERM", "SIGINT"] as const)("ends on %s", async (signal) => {
    const child = await start();
    child.stdin.write(
      `${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params: INITIALIZE })}\n`,
    );
    await once(child.stdout ?? child, "data");
    child.kill(signal);
    const [code] = await once(child, "exit");
    expect(code).toBe(0);
  });

  it("exits when its output is closed", async () => {
    const child = await start();
    child.stdout?.destroy();
    child.stdin.write(
      `${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params: INITIALIZE })}\n`,
    );
    const [code] = await once(child, "exit");
    expect(code).toBe(0);
  });
});

const INITIALIZE = {
  protocolVersion: "2025-06-18",
  capabilities: {},
  clientInfo: { name: "raw", version: "1" },
};
