// @module-tag long: starts and kills processes.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { describe, expect, it, onTestFinished } from "vitest";
import { buildCli } from "../../support/built-cli.ts";
import { temporaryFolder } from "../../support/memory-server.ts";
import { backendVariables } from "../../support/test-backend.ts";

async function serve(...flags: string[]): Promise<ChildProcess> {
  const dataDir = temporaryFolder();
  const child = spawn(process.execPath, [await buildCli(), "serve", ...flags], {
    env: {
      PATH: process.env.PATH,
      HOME: dataDir,
      ...backendVariables(dataDir),
      CAIRN_EMBEDDING_PROVIDER: "none",
    },
  });
  onTestFinished(() => {
    child.kill("SIGKILL");
  });
  return child;
}

async function ready(child: ChildProcess): Promise<string> {
  let text = "";
  for await (const chunk of child.stderr ?? []) {
    text += chunk;
    const url = /^cairn serve listening on (http:\/\/\S+)$/m.exec(text)?.[1];
    if (url !== undefined) return url;
  }
  throw new Error(text);
}

async function failure(child: ChildProcess): Promise<[string, number]> {
  let text = "";
  child.stderr?.on("data", (chunk: Buffer) => {
    text += chunk;
  });
  const [code] = await once(child, "close");
  return [text, code];
}

describe("cairn serve", { timeout: 120_000 }, () => {
  it("stops within five seconds with streams open", async () => {
    const child = await serve("--port", "0");
    const url = await ready(child);
    const headers = { "content-type": "application/json" };
    const body = JSON.stringify({ content: "kept" });
    await fetch(`${url}/api/v1/episodes`, { method: "POST", headers, body });
    const accept = { accept: "text/event-stream" };
    const events = (await fetch(`${url}/api/v1/events`, { headers: accept })).text();
    const session = await fetch(`${url}/mcp`, {
      method: "POST",
      headers: { ...headers, accept: "application/json, text/event-stream" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params: INITIALIZE }),
    });
    await session.text();
    const id = session.headers.get("mcp-session-id") ?? "";
    const messages = (
      await fetch(`${url}/mcp`, { headers: { ...accept, "mcp-session-id": id } })
    ).text();
    const before = Date.now();
    child.kill("SIGTERM");
    const [code] = await once(child, "exit");
    expect([code, Date.now() - before < 5_000]).toEqual([0, true]);
    expect(await events).toContain("id: 1");
    await messages;
  });

  it("reports a port in use in one line", async () => {
    const first = await serve("--port", "0");
    const port = new URL(await ready(first)).port;
    const [text, code] = await failure(await serve("--port", port));
    expect([text.trim().split("\n").length, code]).toEqual([1, 1]);
    expect(text).toContain(`Port ${port}`);
  });

  it("does not listen beyond this machine without a token", async () => {
    const [text, code] = await failure(await serve("--host", "0.0.0.0", "--port", "0"));
    expect(code).not.toBe(0);
    expect(text).toContain("CAIRN_TOKEN");
  });
});

const INITIALIZE = {
  protocolVersion: "2025-06-18",
  capabilities: {},
  clientInfo: { name: "raw", version: "1" },
};
