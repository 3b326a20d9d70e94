import type { ThreadHost, ThreadHostOptions } from "../agent/index.ts";
import { OWN_DATABASE } from "../config/index.ts";
import type { MemoryEngine } from "../memory/index.ts";
import type { App, AppOptions } from "./assemble-app.ts";
import { createApp } from "./create-app.ts";
import { doQueuedWorkLater, queueProject } from "./do-queued-work.ts";

export interface AgentOptions
  extends AppOptions,
    Pick<ThreadHostOptions, "isUnattended" | "openPage" | "startedIn" | "surface"> {
  /** What runs without a question besides what the config allows: `edit, shell(npm test *)`. */
  readonly allowedTools?: string;
}

/** The agent runner on its memory. */
export interface OpenAgent {
  readonly config: App["config"];
  readonly host: ThreadHost;
  /** Undefined where the setting `memory` is "off". */
  readonly memory: MemoryEngine | undefined;
  readonly logger: App["logger"];
  /** Ends the threads, then closes the memory. */
  close(): Promise<void>;
}

/** Opens config, memory and the thread host. Throws what they throw, and leaves nothing open. */
export async function openAgent({
  surface,
  startedIn,
  allowedTools,
  openPage,
  isUnattended,
  ...options
}: AgentOptions): Promise<OpenAgent> {
  const { createThreadHost, withAllowedTools } = await import("../agent/index.ts");
  const app = createApp({ ...options, reader: "model", livesOn: true, sharesModel: true });
  const { config } = app;
  const { dataDir, paths } = config;
  const settings = withAllowedTools(config.settings, allowedTools);
  const memory = settings.memory === "off" ? undefined : app.store.open();
  const hasOwn = memory !== undefined && memory.name !== OWN_DATABASE;
  try {
    const host = await createThreadHost({
      projectRoot: paths.projectRoot,
      userConfigDir: paths.userConfigDir,
      dataDir,
      settings,
      llm: config.settings,
      memory,
      keepsSessions: settings.memory === "on" && !config.settings.sources.off.includes("sessions"),
      keepsCorrections: config.settings.learn.accept === "auto",
      ownMemory: hasOwn ? app.store.open(OWN_DATABASE) : undefined,
      surface,
      ...(isUnattended === true && { isUnattended }),
      ...(startedIn !== undefined && { startedIn }),
      ...(openPage !== undefined && { openPage }),
      trustsCommands: config.trust === "trusted" && paths.configRoot === paths.projectRoot,
      environment: options.env,
      logger: app.logger,
    });
    const working =
      memory === undefined ? undefined : queueProject(app).then(() => doQueuedWorkLater(app));
    return {
      config,
      host,
      memory,
      logger: app.logger,
      async close() {
        await host.close();
        await working;
        await app.close();
      },
    };
  } catch (error) {
    await app.close();
    throw error;
  }
}
