import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { AgentEvent, SlashCommand } from "../../../src/agent/index.ts";
import { createThreadHost } from "../../../src/agent/index.ts";
import { agentSettings } from "../../../src/agent/settings.ts";
import { llmSettings } from "../../../src/llm/index.ts";
import type { Memory } from "../../../src/memory/index.ts";
import {
  type ScriptedAnswer,
  type ScriptedModel,
  startScriptedModel,
} from "../../support/scripted-model.ts";
import { waitUntil } from "../../support/wait-until.ts";
import type { TestProject } from "./project.ts";

export interface ConversationOptions {
  readonly project: TestProject;
  readonly answers?: readonly ScriptedAnswer[];
  readonly settings?: object;
  readonly surface?: "terminal" | "server";
  readonly memory?: Memory;
  readonly keepsSessions?: boolean;
  readonly systemPromptPrefix?: string;
  readonly furtherCommands?: readonly SlashCommand[];
}

export async function startConversation(options: ConversationOptions) {
  const { project, surface = "server" } = options;
  const model = await startScriptedModel(...(options.answers ?? []));
  onTestFinished(() => model.close());
  const host = await createThreadHost({
    ...project,
    dataDir: join(project.userConfigDir, "data"),
    settings: agentSettings.parse({ sandbox: false, ...options.settings }),
    llm: llmSettings.parse({
      provider: "openai-compatible",
      model: "scripted",
      baseUrl: model.baseUrl,
      maxRetries: 0,
    }),
    memory: options.memory,
    furtherCommands: options.furtherCommands ?? [],
    surface,
    keepsCorrections: true,
    keepsSessions: options.keepsSessions === true,
    environment: process.env,
  });
  onTestFinished(() => host.close());
  const events: AgentEvent[] = [];
  host.subscribe((event) => events.push(event));
  const { systemPromptPrefix } = options;
  const created = await host.create(systemPromptPrefix === undefined ? {} : { systemPromptPrefix });
  const { threadId } = created;
  let seen = 0;
  /** Waits for the next matching event after the last one returned. */
  const next = async (fits: (event: AgentEvent) => boolean): Promise<AgentEvent> => {
    const find = () => events.findIndex((event, position) => position >= seen && fits(event));
    await waitUntil(() => find() !== -1, {
      timeoutMs: 10_000,
      intervalMs: 5,
      describeState: () => `no such event among ${JSON.stringify(events.slice(seen), null, 1)}`,
    });
    seen = find() + 1;
    return events[seen - 1] as AgentEvent;
  };
  return {
    host,
    model,
    events,
    threadId,
    next,
    send: (text: string) => host.send(threadId, text),
    cancel: () => host.cancel(threadId),
    status: (phase: string) => next((event) => event.type === "status" && event.phase === phase),
    error: () => next((event) => event.type === "error"),
    isRunning: () => host.list().find((info) => info.threadId === threadId)?.isRunning,
  };
}

export function systemOf(request: ScriptedModel["requests"][number] | undefined): string {
  const system = request?.body.messages.find((message) => message.role === "system");
  return String(system?.content ?? "");
}

export function listUserTexts(request: ScriptedModel["requests"][number] | undefined): string[] {
  return (request?.body.messages ?? [])
    .filter((message) => message.role === "user")
    .map(({ content }) => (typeof content === "string" ? content : JSON.stringify(content)));
}

export function toolsOf(request: ScriptedModel["requests"][number] | undefined): string[] {
  return (request?.body.tools ?? []).map((tool) => tool.function.name).sort();
}
