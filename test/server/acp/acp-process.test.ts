import { spawn } from "node:child_process";
import { once } from "node:events";
import { Readable, Writable } from "node:stream";
import { client, ndJsonStream } from "@agentclientprotocol/sdk";
import { expect, it, onTestFinished } from "vitest";
import { buildCli } from "../../support/built-cli.ts";
import { createCairnFolders } from "../../support/cairn-process.ts";
import { startScriptedModel } from "../../support/scripted-model.ts";

it("serves an editor over stdio and exits with its streams", async () => {
  const { home, project } = createCairnFolders();
  const model = await startScriptedModel({ text: "Good morning." });
  onTestFinished(() => model.close());
  const child = spawn(process.execPath, [await buildCli(), "acp"], {
    cwd: project,
    env: {
      PATH: process.env.PATH ?? "",
      HOME: home,
      CAIRN_EMBEDDING_PROVIDER: "none",
      CAIRN_SANDBOX: "off",
      CAIRN_PROVIDER: "openai-compatible",
      CAIRN_BASE_URL: model.baseUrl,
    },
    stdio: ["pipe", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const exited = once(child, "exit");
  let reply = "";
  const app = client({ name: "test" }).onNotification("session/update", ({ params }) => {
    const { update } = params;
    if (update.sessionUpdate === "agent_message_chunk" && update.content.type === "text") {
      reply += update.content.text;
    }
  });
  const stream = ndJsonStream(
    Writable.toWeb(child.stdin),
    Readable.toWeb(child.stdout) as ReadableStream<Uint8Array>,
  );
  await app.connectWith(stream, async (agent) => {
    await agent.request("initialize", { protocolVersion: 1 });
    const { sessionId } = await agent.request("session/new", { cwd: project, mcpServers: [] });
    const prompt = [{ type: "text" as const, text: "Greet me" }];
    expect(await agent.request("session/prompt", { sessionId, prompt })).toEqual({
      stopReason: "end_turn",
    });
  });
  child.stdin.end();
  expect(reply).toBe("Good morning.");
  expect((await exited)[0]).toBe(0);
}, 180_000);
