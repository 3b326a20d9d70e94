import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TokenHolders } from "../../../src/access/index.ts";
import { createThreadHost, type ThreadHost } from "../../../src/agent/index.ts";
import { agentSettings } from "../../../src/agent/settings.ts";
import { addAgentRoutes } from "../../../src/app/page-agent.ts";
import { startMemoryServer } from "../../../src/app/start-memory-server.ts";
import { llmSettings } from "../../../src/llm/settings.ts";
import type { MemoryStore } from "../../../src/memory/index.ts";
import { httpSettings } from "../../../src/server/http/settings.ts";
import { silentLogger } from "../../../src/shared/logger.ts";
import { openMemoryStore } from "../../support/memory-server.ts";
import { type ScriptedModel, startScriptedModel } from "../../support/scripted-model.ts";

export const AGENT_TOKEN = "the-token-of-the-agent";
export const MAKERS_SECRET = "the-secret-of-who-makes-links";

export interface AgentPage {
  readonly url: string;
  readonly port: number;
  readonly host: ThreadHost;
  readonly store: MemoryStore;
  readonly model: ScriptedModel;
  readonly projectRoot: string;
  readonly dataDir: string;
  readonly warnings: readonly string[];
  readonly log: readonly string[];
  /** Returns a URL of the page with a one-time token for the agent. */
  address(path: string): string;
  stop(): Promise<void>;
  end(): Promise<void>;
}

interface Setup {
  readonly mode?: "ask" | "auto";
  readonly keepsCorrections?: boolean;
  readonly token?: string;
  readonly port?: number;
  readonly projectRoot?: string;
  readonly model?: ScriptedModel;
  /** Recall log settings; off by default. */
  readonly recallLog?: NonNullable<Parameters<typeof openMemoryStore>[2]>["recallLog"];
}

export async function startAgentPage(setup: Setup = {}): Promise<AgentPage> {
  const projectRoot = setup.projectRoot ?? mkdtempSync(join(tmpdir(), "cairn-page-"));
  const model = setup.model ?? (await startScriptedModel());
  const dataDir = join(projectRoot, "..", `${projectRoot.split("/").at(-1)}-data`);
  const store = openMemoryStore(dataDir, [], { recallLog: setup.recallLog });
  const warnings: string[] = [];
  const log: string[] = [];
  const logger = {
    ...silentLogger,
    warn: (text: string) => log.push(text) && warnings.push(text),
    info: (text: string) => log.push(text),
  };
  const host = await createThreadHost({
    projectRoot,
    userConfigDir: join(projectRoot, "no-config"),
    dataDir,
    settings: agentSettings.parse({
      sandbox: false,
      permission: { mode: setup.mode ?? "ask" },
    }),
    llm: llmSettings.parse({
      provider: "openai-compatible",
      model: "scripted",
      baseUrl: model.baseUrl,
      maxRetries: 0,
    }),
    memory: store.open(),
    keepsCorrections: setup.keepsCorrections === true,
    surface: "server",
    environment: process.env,
    logger,
  });
  const settings = httpSettings.parse({
    port: setup.port ?? 0,
    ...(setup.token !== undefined && { token: setup.token }),
  });
  const agent = addAgentRoutes({
    host,
    token: AGENT_TOKEN,
    secret: MAKERS_SECRET,
    settings,
    logger,
    holders: new TokenHolders(store.tokens, (error) => warnings.push(String(error))),
  });
  const server = await startMemoryServer({
    store,
    settings,
    version: "0.0.0",
    logger,
    agent,
    announce: () => undefined,
  });
  const stop = async () => {
    await agent.gateway.close(() => host.close());
    await server.close(0);
    await store.close();
  };
  return {
    url: server.url,
    port: server.port,
    host,
    store,
    model,
    projectRoot,
    dataDir,
    warnings,
    log,
    address: (path) => `${server.url}/ui/${path}#agent=${agent.makeLink()}`,
    stop,
    async end() {
      await stop();
      await model.close();
      rmSync(projectRoot, { recursive: true, force: true });
      rmSync(`${projectRoot}-data`, { recursive: true, force: true });
    },
  };
}
