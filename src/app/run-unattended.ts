import type { NightPorts, NightReport, NightState } from "../agent/index.ts";
import type { App, AppOptions } from "./assemble-app.ts";
import { createApp } from "./create-app.ts";
import { openAgentOn } from "./open-agent.ts";

export interface UnattendedOptions extends AppOptions {
  /** What runs without a question besides what the config allows. */
  readonly allowedTools?: string;
}

/** What an unattended run needs of the program. */
export interface Unattended {
  readonly config: App["config"];
  readonly openHost: NightPorts["openHost"];
  readonly notify: NightPorts["notify"];
  /** Number of the last change of memory; null: there is none. */
  memorySeq(): Promise<number | null>;
  report(state: NightState): Promise<NightReport>;
  close(): Promise<void>;
}

/** One memory and one config for all tasks; each gets an agent of its own. */
export async function openUnattended(options: UnattendedOptions): Promise<Unattended> {
  const agent = await import("../agent/index.ts");
  const app = createApp({ ...options, reader: "model", livesOn: true, sharesModel: true });
  const { config } = app;
  const { settings, dataDir } = config;
  const closings: (() => Promise<void>)[] = [];
  const memory = () => (settings.memory === "off" ? undefined : app.store.open());
  return {
    config,
    notify: agent.notifyBy(settings.unattended.notify, withoutKeys(options.env, agent)),
    async openHost({ copy, aroundModel, settings: changed, isUnattended }) {
      const { env, allowedTools } = options;
      const { host, close } = await openAgentOn(app, {
        ...{ surface: "terminal", env, workIn: copy, settings: changed, isUnattended, aroundModel },
        ...(allowedTools !== undefined && { allowedTools }),
      });
      closings.push(close);
      return host;
    },
    memorySeq: () => agent.lastChange(memory()),
    report: (state) =>
      agent.reportOf({
        dataDir,
        state,
        auditOf: async (folder) => {
          const place = agent.auditPlace(dataDir, config.paths.userConfigDir, folder);
          return (await agent.readAudit(place)).entries;
        },
        learnedSince: (seq) => agent.learnedSince(memory(), seq),
      }),
    async close() {
      for (const close of closings) await close();
      await app.close();
    },
  };
}

/** The command of `notify` is the person's, and has no use for keys of models. */
function withoutKeys(
  env: AppOptions["env"],
  { secretNames }: Pick<typeof import("../agent/index.ts"), "secretNames">,
): Record<string, string> {
  const secret = new Set(secretNames(env));
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) =>
      value === undefined || secret.has(name) ? [] : [[name, value]],
    ),
  );
}
