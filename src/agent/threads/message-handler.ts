import { stripControl, stripControlLine } from "../../shared/text.ts";
import { loadCustomPrompts } from "../files/load-custom-prompts.ts";
import type { Dialogue } from "../ports/dialogue.ts";
import type { AgentEventBody, ThreadControl } from "../ports/events.ts";
import type { SlashCommandContext } from "../ports/slash-command.ts";
import { firstSentenceWords } from "../slash-commands/command-words.ts";
import { readUserMessage, runSlashCommand } from "../slash-commands/find-slash-command.ts";
import { choose } from "../slash-commands/review.ts";
import { type AskUser, askInOrder, formatQuestion, rejectWithoutUser } from "../tools/ask-user.ts";
import type { HostServices } from "./host-services.ts";
import type { PendingPrompt } from "./message-queue.ts";
import type { ThreadRecord } from "./thread-record.ts";

interface MessageHandlerOptions {
  readonly services: HostServices;
  readonly record: ThreadRecord;
  readonly prompt: PendingPrompt;
  readonly emit: (event: AgentEventBody) => void;
}

interface HandledMessage {
  readonly text: string;
  readonly control: ThreadControl;
  readonly signal: AbortSignal;
  readonly isBidden?: boolean;
  readonly run?: (context: SlashCommandContext) => Promise<void>;
  onCommand(name: string): void;
}

export class MessageHandler {
  readonly #options: MessageHandlerOptions;

  constructor(options: MessageHandlerOptions) {
    this.#options = options;
  }

  async handle(handled: HandledMessage): Promise<void> {
    const { text, control, signal, onCommand, run } = handled;
    if (run !== undefined) {
      onCommand("tasks run");
      await run(this.#commandContext(handled));
      return;
    }
    const { services, emit } = this.#options;
    const served = await this.#servedPrompt(text, signal);
    if (served !== undefined) {
      await control.runTurn(served);
      return;
    }
    const message = readUserMessage(text, await this.#customCommands(text), services.commands);
    if (message.kind === "prompt") {
      await control.runTurn(message.text, { expandMentions: true });
    } else if (message.kind === "unknown") {
      emit({ type: "error", message: message.message, code: "not_found" });
    } else {
      onCommand(message.command.name);
      await runSlashCommand(this.#commandContext(handled), message.command, message.args);
    }
  }

  #commandContext({ control, signal, isBidden }: HandledMessage): SlashCommandContext {
    const { services, record } = this.#options;
    const { settings, memory, environment, commands, sessions, checkpoints } = services;
    const { projectRoot, userConfigDir, trustsCommands } = services;
    const { exitGuard, wrapCommand, clock, mcpServers, openPage, worktree } = services;
    return {
      dialogue: this.#dialogue(signal),
      thread: control,
      threadId: record.state.threadId,
      clock,
      projectRoot,
      userConfigDir,
      ...(trustsCommands !== undefined && { trustsCommands }),
      settings,
      memory,
      mcpServers,
      checkpoints,
      ...(openPage !== undefined && { openPage }),
      ...(worktree !== undefined && { worktree }),
      surface: isBidden === true ? "terminal" : services.surface,
      environment,
      processName: record.processName,
      dataDir: services.dataDir,
      exitGuard,
      wrapCommand,
      commands,
      sessions,
      signal,
    };
  }

  askUser(signal: AbortSignal): AskUser {
    const { services, record } = this.#options;
    if (services.isUnattended) return rejectWithoutUser;
    const dialogue = this.#dialogue(signal);
    return askInOrder(async (question, choices) => {
      const answer = await choose(dialogue, formatQuestion(question, choices), choices);
      await services.audit.note({
        ...{ threadId: record.state.threadId, tool: "ask_user", subject: answer },
        ...{ reason: question, outcome: "answered", network: false, keys: false },
      });
      return answer;
    });
  }

  #dialogue(signal: AbortSignal) {
    const { prompt, emit } = this.#options;
    return threadDialogue({ emit, prompt, signal });
  }

  async #servedPrompt(text: string, signal: AbortSignal): Promise<string | undefined> {
    const match = /^\s*\/(mcp__[\w-]+)(?:\s+([\s\S]*))?$/.exec(text);
    if (match === null) return undefined;
    const { mcpServers, permission } = this.#options.services;
    await mcpServers.ready(signal);
    const server = /^mcp__(.+?)__/.exec(match[1] ?? "")?.[1] ?? "";
    permission.readBy(this.#options.record.state.threadId, [`mcp:${server}`]);
    return mcpServers.promptText(match[1] ?? "", (match[2] ?? "").trim(), signal);
  }

  async #customCommands(text: string) {
    if (!text.trimStart().startsWith("/")) return [];
    const { services, emit } = this.#options;
    const builtIn = new Set(firstSentenceWords(services.commands));
    const { commands, warnings } = await loadCustomPrompts(services, builtIn);
    for (const message of warnings) emit({ type: "status", phase: "info", message });
    return commands;
  }
}

function threadDialogue(options: {
  readonly emit: (event: AgentEventBody) => void;
  readonly prompt: PendingPrompt;
  readonly signal: AbortSignal;
}): Dialogue {
  const { emit, prompt, signal } = options;
  const say = (phase: "info" | "success" | "print") => (message: string) =>
    emit({ type: "status", phase, message: stripControl(message) });
  return {
    info: say("info"),
    success: say("success"),
    print: say("print"),
    error: (message, code) =>
      emit({
        type: "error",
        message: stripControl(message),
        ...(code !== undefined && { code }),
      }),
    ask: (question) => prompt.ask(stripControl(question), { signal }),
    choose: (question, choices) => prompt.ask(stripControl(question), { signal, choices }),
    progress: (items) =>
      emit({
        type: "status",
        phase: "info",
        progress: items.map((item) => ({ ...item, label: stripControlLine(item.label) })),
      }),
  };
}
