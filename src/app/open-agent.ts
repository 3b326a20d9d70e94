import type {
  AgentSettings,
  RunPorts,
  ThreadHost,
  ThreadHostOptions,
  Worktree,
} from "../agent/index.ts";
import { DEFAULT_DATABASE } from "../config/index.ts";
import type { MemoryEngine, MemoryStore } from "../memory/index.ts";
import type { App, AppOptions } from "./assemble-app.ts";
import { createApp } from "./assemble-app.ts";
import { queueProject, scheduleQueuedWork } from "./run-queued-work.ts";

interface RunnerOptions
  extends Pick<
    ThreadHostOptions,
    "aroundModel" | "isUnattended" | "openPage" | "startedIn" | "surface"
  > {
  /** Calls allowed in addition to the config: `edit, shell(npm test *)`. */
  readonly allowedTools?: string;
  readonly env: AppOptions["env"];
  /** Working folder of the agent; memory and settings belong to the project. */
  readonly worktree?: Worktree | undefined;
  readonly settings?: Partial<AgentSettings>;
}

export interface AgentOptions extends AppOptions, RunnerOptions {}

export interface OpenAgent {
  readonly config: App["config"];
  readonly host: ThreadHost;
  readonly memory: MemoryEngine | undefined;
  readonly tokens: MemoryStore["tokens"];
  readonly logger: App["logger"];
  close(): Promise<void>;
}

/** Opens config, memory and thread host; closes them again on failure. */
export async function openAgent(options: AgentOptions): Promise<OpenAgent> {
  const app = createApp({ ...options, reader: "model", isServer: true, sharesModel: true });
  try {
    const agent = await openAgentWithApp(app, options);
    return {
      ...agent,
      async close() {
        await agent.close();
        await app.close();
      },
    };
  } catch (error) {
    await app.close();
    throw error;
  }
}

/** Creates the agent runner on an open app, which stays open when the runner closes. */
export async function openAgentWithApp(app: App, options: RunnerOptions): Promise<OpenAgent> {
  const { surface, startedIn, allowedTools, openPage, isUnattended, env, worktree } = options;
  const { createThreadHost, withAllowedTools } = await import("../agent/index.ts");
  const { config } = app;
  const { dataDir, paths } = config;
  const settings = { ...withAllowedTools(config.settings, allowedTools), ...options.settings };
  const memory = settings.memory === "off" ? undefined : app.store.open();
  const hasOwn = memory !== undefined && memory.name !== DEFAULT_DATABASE;
  const host = await createThreadHost({
    projectRoot: worktree?.tree ?? paths.projectRoot,
    ...(worktree !== undefined && { worktree }),
    userConfigDir: paths.userConfigDir,
    dataDir,
    settings,
    llm: config.settings,
    memory,
    keepsSessions: settings.memory === "on" && !config.settings.sources.off.includes("sessions"),
    keepsCorrections: config.settings.learn.accept === "auto",
    ownMemory: hasOwn ? app.store.open(DEFAULT_DATABASE) : undefined,
    ...(memory !== undefined && { outerMemories: () => app.store.openOuterLayers() }),
    surface,
    ...(isUnattended === true && { isUnattended }),
    ...(startedIn !== undefined && { startedIn }),
    ...(openPage !== undefined && { openPage }),
    ...(options.aroundModel !== undefined && { aroundModel: options.aroundModel }),
    trustsCommands: config.trust === "trusted" && paths.configRoot === paths.projectRoot,
    isUntrusted: config.trust !== "trusted" && config.trust !== "none",
    environment: env,
    logger: app.logger,
  });
  const working =
    memory === undefined ? undefined : queueProject(app).then(() => scheduleQueuedWork(app));
  return {
    config,
    host,
    memory,
    tokens: app.store.tokens,
    logger: app.logger,
    async close() {
      await host.close();
      await working;
    },
  };
}

export interface AgentHosts {
  readonly config: App["config"];
  readonly openHost: RunPorts["openHost"];
  close(): Promise<void>;
}

export function openAgentHosts(
  options: AppOptions & Pick<RunnerOptions, "allowedTools">,
): AgentHosts {
  const app = createApp({ ...options, reader: "model", isServer: true, sharesModel: true });
  const closings: (() => Promise<void>)[] = [];
  return {
    config: app.config,
    async openHost({ worktree, aroundModel, settings, isUnattended }) {
      const { env, allowedTools } = options;
      const { host, close } = await openAgentWithApp(app, {
        ...{ surface: "terminal", env, worktree },
        ...(settings !== undefined && { settings }),
        ...(isUnattended !== undefined && { isUnattended }),
        ...(aroundModel !== undefined && { aroundModel }),
        ...(allowedTools !== undefined && { allowedTools }),
      });
      closings.push(close);
      return host;
    },
    async close() {
      for (const close of closings) await close();
      await app.close();
    },
  };
}
