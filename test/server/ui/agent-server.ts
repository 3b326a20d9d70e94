import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { createThreadHost } from "../../../src/agent/index.ts";
import { agentSettings } from "../../../src/agent/settings.ts";
import { llmSettings } from "../../../src/llm/settings.ts";
import { httpSettings } from "../../../src/server/http/settings.ts";
import { startUiServer } from "../../../src/server/ui/index.ts";
import { silentLogger } from "../../../src/shared/logger.ts";
import { type ScriptedAnswer, startScriptedModel } from "../../support/scripted-model.ts";
import { UiClient } from "../../support/ui-client.ts";

export async function startAgentServer(...answers: readonly ScriptedAnswer[]) {
  const projectRoot = mkdtempSync(join(tmpdir(), "cairn-ui-"));
  const model = await startScriptedModel(...answers);
  const host = await createThreadHost({
    projectRoot,
    userConfigDir: join(projectRoot, "..", "no-user-config"),
    dataDir: join(projectRoot, "data"),
    settings: agentSettings.parse({ sandbox: false, memory: "off" }),
    llm: llmSettings.parse({
      provider: "openai-compatible",
      model: "scripted",
      baseUrl: model.baseUrl,
      maxRetries: 0,
    }),
    memory: undefined,
    surface: "server",
    environment: process.env,
  });
  const server = await startUiServer({
    host,
    settings: httpSettings.parse({ uiPort: 0 }),
    logger: silentLogger,
    announce: () => undefined,
  });
  onTestFinished(async () => {
    await server.close(() => host.close());
    await model.close();
    rmSync(projectRoot, { recursive: true, force: true });
  });
  const connect = async () => {
    const client = await UiClient.connect(server.url);
    onTestFinished(() => client.socket.terminate());
    return client;
  };
  return { ...server, projectRoot, model, host, connect };
}
