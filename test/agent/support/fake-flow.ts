import { join } from "node:path";
import type { Dialogue, ProgressItem } from "../../../src/agent/ports/dialogue.ts";
import type { ThreadControl, TurnOptions, TurnResult } from "../../../src/agent/ports/events.ts";
import type { SlashCommandContext } from "../../../src/agent/ports/slash-command.ts";
import { childEnvironment } from "../../../src/agent/processes/child-environment.ts";
import { unwrapped } from "../../../src/agent/processes/command-limits.ts";
import { ExitGuard } from "../../../src/agent/processes/managed-process.ts";
import { agentSettings } from "../../../src/agent/settings.ts";
import {
  findSlashCommand,
  runSlashCommand,
} from "../../../src/agent/slash-commands/find-slash-command.ts";
import { slashCommands } from "../../../src/agent/slash-commands/registry.ts";
import type { Memory } from "../../../src/memory/index.ts";
import { systemClock } from "../../../src/shared/clock.ts";
import type { TestProject } from "./project.ts";

export interface FakeTurn {
  readonly text: string;
  readonly options: TurnOptions;
  /** Earlier messages of the history, without this one. */
  readonly earlier: readonly string[];
}

export type ScriptedTurn =
  | string
  | Partial<TurnResult>
  | ((text: string, options: TurnOptions) => Promise<string> | string);

export interface FakeFlowOptions {
  readonly project: TestProject;
  readonly turns?: readonly ScriptedTurn[];
  readonly replies?: readonly string[];
  readonly memory?: Memory;
  readonly settings?: object;
  readonly surface?: "terminal" | "server";
  readonly sessions?: SlashCommandContext["sessions"];
  readonly signal?: AbortSignal;
  readonly worktree?: SlashCommandContext["worktree"];
}

const NO_SERVERS: SlashCommandContext["mcpServers"] = {
  list: () => [],
  prompts: () => [],
  resources: () => [],
  reconnect: async () => undefined,
  logIn: async () => undefined,
};

/** Fakes the thread and the user; everything between them is real. */
export function createFakeFlow(options: FakeFlowOptions) {
  const said: string[] = [];
  const turns: FakeTurn[] = [];
  const progress: (readonly ProgressItem[])[] = [];
  const thread = fakeThread(options.turns ?? [], turns, said);
  const context: SlashCommandContext = {
    ...options.project,
    dialogue: fakeDialogue(options.replies ?? [], said, progress),
    thread: thread.control,
    threadId: thread.control.threadId,
    clock: systemClock,
    settings: agentSettings.parse(options.settings ?? {}),
    memory: options.memory,
    mcpServers: NO_SERVERS,
    checkpoints: { writerOf: () => undefined },
    surface: options.surface ?? "terminal",
    environment: childEnvironment(process.env),
    processName: "test",
    dataDir: join(options.project.userConfigDir, "data"),
    exitGuard: new ExitGuard(),
    wrapCommand: unwrapped,
    signal: options.signal ?? new AbortController().signal,
    commands: slashCommands,
    sessions: options.sessions ?? noSessions,
    ...(options.worktree !== undefined && { worktree: options.worktree }),
  };
  return {
    context,
    /**
     * Output in order: `info: …`, `success: …`, `print: …`, `error: …`, `prompt: …`, `clear`,
     * `reload`.
     */
    said,
    turns,
    progress,
    history: thread.history,
    async type(text: string): Promise<void> {
      const found = findSlashCommand(text);
      if (found === undefined) throw new Error(`no command in ${text}`);
      await runSlashCommand(context, found.command, found.args);
    },
  };
}

function fakeDialogue(
  script: readonly string[],
  messages: string[],
  progress: (readonly ProgressItem[])[],
): Dialogue {
  const replies = [...script];
  const say = (kind: string) => (message: string) => void messages.push(`${kind}: ${message}`);
  return {
    info: say("info"),
    success: say("success"),
    print: say("print"),
    error: say("error"),
    progress: (items) => void progress.push(items),
    async ask(question) {
      messages.push(`prompt: ${question}`);
      const reply = replies.shift();
      if (reply === undefined) throw new Error(`nobody answers: ${question}`);
      return reply;
    },
  };
}

function fakeThread(script: readonly ScriptedTurn[], turns: FakeTurn[], replies: string[]) {
  const answers = [...script];
  const main: string[] = ["an earlier message"];
  let history = main;
  const control: ThreadControl = {
    threadId: "thread-1",
    undo: {
      turns: async () => [],
      undo: () => Promise.reject(new Error("nothing to undo")),
      redo: () => Promise.reject(new Error("nothing to redo")),
    },
    keepOffers: async () => undefined,
    shownMemories: () => [],
    model: "model-1",
    get messageCount() {
      return history.length;
    },
    async runTurn(text, options = {}) {
      turns.push({ text, options, earlier: [...history] });
      history.push(text);
      const answer = answers.shift();
      if (answer === undefined) throw new Error(`the model has no answer for: ${text}`);
      const result = typeof answer === "function" ? await answer(text, options) : answer;
      if (options.signal?.aborted) return { outcome: "aborted", text: "" };
      if (typeof result !== "string") return { outcome: "completed", text: "", ...result };
      history.push(result);
      return { outcome: "completed", text: result };
    },
    async withSeparateHistory(body) {
      history = [];
      try {
        return await body();
      } finally {
        history = main;
      }
    },
    async clearHistory() {
      history.length = 0;
      replies.push("clear");
    },
    async reloadSystemPrompt() {
      replies.push("reload");
    },
    async handover() {
      return { outcome: "completed", text: "summary" };
    },
    effort: undefined,
    async setEffort(effort) {
      replies.push(`effort: ${effort}`);
    },
    modelsKnownAt: "2026-01-01",
    models: async () => [],
    async setModel(model) {
      replies.push(`model: ${model}`);
    },
  };
  return { control, history: main };
}

export const noSessions: SlashCommandContext["sessions"] = {
  list: () => [],
  fork: () => Promise.reject(new Error("nothing to fork")),
  rename: () => Promise.reject(new Error("nothing to rename")),
  write: async () => "",
};
