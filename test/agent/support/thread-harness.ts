import { mkdir, mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type AgentEvent, createThreadHost, type ThreadHost } from "../../../src/agent/index.ts";
import { agentSettings } from "../../../src/agent/settings.ts";
import type { ThreadHostOptions, ThreadLimits } from "../../../src/agent/threads/host-services.ts";
import type { WebAccess } from "../../../src/agent/web/request-page.ts";
import type { Memory } from "../../../src/memory/index.ts";
import {
  type ScriptedAnswer,
  type ScriptedModel,
  startScriptedModel,
} from "../../support/scripted-model.ts";
import { waitUntil } from "../../support/wait-until.ts";

export interface Harness {
  readonly host: ThreadHost;
  readonly model: ScriptedModel;
  readonly projectRoot: string;
  readonly dataDir: string;
  readonly options: ThreadHostOptions;
  /** Events of all threads since this host started. */
  readonly events: AgentEvent[];
  /** Resolves with the first matching event, including earlier ones. */
  waitFor(matches: (event: AgentEvent) => boolean, timeoutMs?: number): Promise<AgentEvent>;
  waitForPhase(phase: string, count?: number, threadId?: string): Promise<void>;
  say(text: string, threadId?: string): Promise<void>;
  /** Closes the host and opens another on the same data. */
  restart(): Promise<Harness>;
  close(): Promise<void>;
}

export interface HarnessOptions {
  readonly answers?: readonly ScriptedAnswer[];
  readonly settings?: Partial<ThreadHostOptions["settings"]>;
  readonly llm?: Partial<ThreadHostOptions["llm"]>;
  readonly memory?: Memory;
  readonly surface?: "terminal" | "server";
  readonly environment?: Readonly<Record<string, string | undefined>>;
  readonly web?: WebAccess;
  readonly limits?: Partial<ThreadLimits>;
  readonly keepsSessions?: boolean;
  readonly keepsCorrections?: boolean;
  readonly isUnattended?: boolean;
  readonly isUntrusted?: boolean;
  readonly prepare?: (project: string) => void;
}

const permission = { rules: [{ tool: "shell", action: "allow" }] };

export async function startHarness(options: HarnessOptions = {}): Promise<Harness> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "cairn-threads-")));
  const projectRoot = join(folder, "project");
  await mkdir(projectRoot);
  options.prepare?.(projectRoot);
  const model = await startScriptedModel(...(options.answers ?? []));
  const hostOptions: ThreadHostOptions = {
    projectRoot,
    dataDir: join(folder, "data"),
    userConfigDir: join(folder, "config"),
    settings: { ...agentSettings.parse({ sandbox: false, permission }), ...options.settings },
    llm: {
      provider: "openai-compatible",
      baseUrl: model.baseUrl,
      maxRetries: 2,
      prices: {},
      headers: {},
      ...options.llm,
    },
    memory: options.memory,
    surface: options.surface ?? "server",
    environment: options.environment ?? process.env,
    ...(options.limits !== undefined && { limits: options.limits }),
    ...(options.web !== undefined && { web: options.web }),
    ...(options.keepsSessions === true && { keepsSessions: true }),
    ...(options.keepsCorrections === true && { keepsCorrections: true }),
    ...(options.isUntrusted === true && { isUntrusted: true }),
    ...(options.isUnattended === true && { isUnattended: true }),
  };
  const cleanUp = async () => {
    await model.close();
    await rm(folder, { recursive: true, force: true });
  };
  const harness = await open(hostOptions, model, cleanUp);
  await harness.host.create({ threadId: "t" });
  return harness;
}

async function open(
  options: ThreadHostOptions,
  model: ScriptedModel,
  cleanUp: () => Promise<void>,
): Promise<Harness> {
  const host = await createThreadHost(options);
  const events: AgentEvent[] = [];
  host.subscribe((event) => events.push(event));
  const waitFor: Harness["waitFor"] = async (matches, timeoutMs = 30_000) => {
    await waitUntil(() => events.some(matches), {
      timeoutMs: timeoutMs,
      intervalMs: 5,
      describeState: () => `the event never came; last: ${JSON.stringify(events.slice(-5))}`,
    });
    return events.find(matches) as AgentEvent;
  };
  const count = (phase: string, threadId: string) =>
    events.filter(
      (event) => event.type === "status" && event.phase === phase && event.threadId === threadId,
    ).length;
  const waitForPhase: Harness["waitForPhase"] = async (phase, times = 1, threadId = "t") => {
    await waitFor(() => count(phase, threadId) >= times);
  };
  return {
    host,
    model,
    projectRoot: options.projectRoot,
    dataDir: options.dataDir,
    options,
    events,
    waitFor,
    waitForPhase,
    say: async (text, threadId = "t") => {
      const before = count("idle", threadId);
      await host.send(threadId, text);
      await waitForPhase("idle", before + 1, threadId);
    },
    restart: async () => {
      await host.close();
      return open(options, model, cleanUp);
    },
    close: async () => {
      await host.close();
      await cleanUp();
    },
  };
}

/** Lists events in order, e.g. `running`, `assistant.done`, `tool.call shell`. */
export function outline(events: readonly AgentEvent[], threadId = "t"): string[] {
  return events
    .filter((event) => event.threadId === threadId && event.type !== "assistant.delta")
    .map((event) => {
      if (event.type === "status") return event.phase;
      if (event.type === "tool.call" || event.type === "tool.result") {
        return `${event.type} ${event.name}`;
      }
      return event.type;
    });
}
