import { resolve } from "node:path";
import type { ModelClient, RequestedToolCall } from "../../llm/index.ts";
import { type ModelMessage, SERVICES } from "../../llm/index.ts";
import { isCairnError, messageOf } from "../../shared/errors.ts";
import { randomIds } from "../../shared/ids.ts";
import { stripControl } from "../../shared/text.ts";
import type { ThreadCheckpoints } from "../checkpoints/thread-checkpoints.ts";
import { expandMentions } from "../files/expand-mentions.ts";
import { describeHookFailure, runStopHooks } from "../hooks/run-stop-hooks.ts";
import type { ContextGauge } from "../loop/context-gauge.ts";
import type { History, UserContent } from "../loop/history.ts";
import { typedText, userContent } from "../loop/history.ts";
import { runLoop } from "../loop/run-loop.ts";
import type { Spending } from "../loop/spending.ts";
import type { AgentRun } from "../loop/write-handover.ts";
import { writeHandover } from "../loop/write-handover.ts";
import type { FileWatch } from "../ports/checkpoint.ts";
import type { AgentEventBody, TurnOptions, TurnResult } from "../ports/events.ts";
import type { ProcessTable } from "../processes/process-table.ts";
import type { SubagentLabels } from "../subagents/subagent-labels.ts";
import type { AskUser } from "../tools/ask-user.ts";
import type { Tool } from "../tools/define-tool.ts";
import { delegate } from "./delegate.ts";
import type { EventLog } from "./event-log.ts";
import type { HostServices } from "./host-services.ts";
import type { MessageQueue } from "./message-queue.ts";
import type { Recollection } from "./recollection.ts";
import type { ThreadMemory } from "./thread-memory.ts";
import type { ThreadPrompt, WorkedHistory } from "./thread-prompt.ts";
import type { ThreadRecord } from "./thread-record.ts";
import { threadTools } from "./thread-tools.ts";

const INSERTED_TEXT = /^\[cairn\]|<handover[ >]/;
const TRUSTED_TOOLS: ReadonlySet<string> = new Set([
  "todo",
  "ask_user",
  "remember",
  "recall",
  "memory_apply",
  "memory_snapshot",
]);

function typedWords(messages: readonly ModelMessage[]): string {
  const typed = messages.flatMap((message) => {
    const text = message.role === "user" ? typedText(message) : "";
    return INSERTED_TEXT.test(text) ? [] : [text];
  });
  return typed.join("\n");
}

/** True if any tool returned content: files, commands, pages, servers. */
function hasToolAnswers(messages: readonly ModelMessage[]): boolean {
  return messages.some((message) => {
    if (message.role === "user") return INSERTED_TEXT.test(typedText(message));
    if (message.role !== "tool") return false;
    return message.content.some(
      (part) => part.type === "tool-result" && !TRUSTED_TOOLS.has(part.toolName),
    );
  });
}

const MIN_WINDOW_TOKENS = 32_000;

interface WatchedRun {
  readonly client: ModelClient;
  readonly gauge: ContextGauge;
  readonly emit: (event: AgentEventBody) => void;
  readonly signal: AbortSignal;
}

function watchContextWindow({ client, gauge, emit, signal }: WatchedRun): void {
  if (gauge.window !== undefined) return;
  client.contextWindow(signal).then(
    (window) => {
      gauge.window = window;
      const warning = tooSmallWindow(client, window);
      if (warning !== undefined) emit({ type: "status", phase: "info", message: warning });
    },
    // Expected: aborted; the next run asks again.
    () => undefined,
  );
}

function tooSmallWindow(
  { provider, model }: Pick<ModelClient, "provider" | "model">,
  window: number | undefined,
): string | undefined {
  if (SERVICES[provider].cutsSilently !== true) return undefined;
  if (window === undefined || window >= MIN_WINDOW_TOKENS) return undefined;
  const tokens = window.toLocaleString("en");
  return `${model} has a context window of ${tokens} tokens and drops the beginning of longer conversations; coding needs about 32,000. "contextWindow" (CAIRN_CONTEXT_WINDOW) requests more, up to the limits of the model and of this machine's memory.`;
}

/** A handover only describes tools and runs none. */
const NO_WATCH: FileWatch = { willWrite: async () => {}, willRunCommand: async () => {} };

export interface TurnContext {
  readonly services: HostServices;
  readonly record: ThreadRecord;
  readonly events: EventLog;
  readonly queue: MessageQueue;
  readonly emit: (event: AgentEventBody) => void;
  readonly work: WorkedHistory;
  readonly memory: ThreadMemory;
  readonly prompt: ThreadPrompt;
  readonly checkpoints: ThreadCheckpoints;
  readonly processes: ProcessTable;
  readonly spending: Spending;
  readonly labels: SubagentLabels;
  /** Files read or written in the thread: replacing another one asks. */
  readonly knownFiles: Set<string>;
  readonly onRunning: (isRunning: boolean) => void;
}

export interface TurnStart {
  readonly signal: AbortSignal;
  readonly queuedId?: string;
  readonly onAborted: () => void;
  readonly askUser: AskUser;
}

interface Message {
  readonly text: string;
  readonly isMain: boolean;
  readonly atEnd: () => Promise<void>;
}

export class Turn {
  readonly #context: TurnContext;
  readonly #client: ModelClient;
  readonly #start: TurnStart;
  readonly #options: TurnOptions;
  readonly #history: History;
  readonly #signal: AbortSignal;
  #watch: FileWatch = NO_WATCH;

  /** `client` serves the whole turn, even if the user selects another model in the meantime. */
  constructor(
    context: TurnContext,
    client: ModelClient,
    start: TurnStart,
    options: TurnOptions = {},
  ) {
    this.#context = context;
    this.#client = client;
    this.#start = start;
    this.#options = options;
    this.#history = context.work.current;
    this.#signal =
      options.signal === undefined ? start.signal : AbortSignal.any([start.signal, options.signal]);
  }

  answer(text: string): Promise<TurnResult> {
    const { work, checkpoints } = this.#context;
    const { isMain } = work;
    const checkpoint = checkpoints.begin(text, isMain ? work.main : undefined);
    this.#watch = checkpoint.watch;
    return this.#run({ text, isMain, atEnd: checkpoint.end }, async () => {
      const { services } = this.#context;
      await Promise.all([checkpoint.ready(), services.mcpServers.ready(this.#signal)]);
      for (const message of services.mcpServers.takeProblems()) {
        this.#emit({ type: "status", phase: "info", message });
      }
      const run = await this.#prepare();
      if (this.#options.afresh === true) {
        await writeHandover({ ...run, prompt: text });
        this.#emit({ type: "status", phase: "success", message: "Continuing from the summary." });
      }
      const isTyped = this.#options.expandMentions === true;
      const before = this.#history.messages.length;
      const content = isTyped ? await this.#expand(text) : text;
      this.#history.append({ role: "user", content });
      const leave = this.#giveConsent();
      const answer = await runLoop(run).finally(leave);
      await this.#finish(isTyped && isMain ? { text, before } : undefined);
      return answer;
    });
  }

  #giveConsent(): () => void {
    const { consents = [] } = this.#options;
    const { permission, projectRoot } = this.#context.services;
    const { threadId } = this.#context.record.state;
    if (consents.length === 0) return () => undefined;
    const isAnswered = permission.desk.canAsk;
    return permission.attach((notice) => {
      if (notice.type !== "permission.ask" || notice.question.threadId !== threadId) return;
      const { questionId, tool, title } = notice.question;
      const isConsented = tool === "write" && consents.includes(resolve(projectRoot, title));
      if (!isConsented && isAnswered) return;
      const decision = isConsented ? "once" : "no";
      setImmediate(() => permission.answer(threadId, questionId, { decision, by: "command" }));
    });
  }

  /** Replaces the history by a summary, in a run without tools. */
  handover(): Promise<TurnResult> {
    return this.#run(undefined, async () => {
      await this.#context.memory.storedSession.learn();
      return writeHandover(await this.#prepare());
    });
  }

  async #prepare(): Promise<AgentRun> {
    const { services, record, work, memory, spending, processes, knownFiles } = this.#context;
    const { threadId } = record.state;
    const tools = await this.#tools();
    return {
      client: this.#client,
      history: this.#history,
      system: await this.#systemPrompt(tools),
      tools,
      toolContext: { paths: services.paths, processes },
      permit: memory.heldCalls.before(
        services.permission.gate({
          threadId,
          knownFiles,
          userText: () => typedWords(work.main.messages),
          hasRead: () => hasToolAnswers(work.main.messages),
          readOfOthers: record.state.readOfOthers ?? [],
          storeForUndo: (paths) => this.#watch.willWrite(...paths),
          onRead: (sources) => record.saveState({ readOfOthers: [...sources] }),
        }),
      ),
      limits: services.settings,
      watch: this.#watch,
      gauge: work.gauge,
      spending,
      signal: this.#signal,
      emit: this.#context.emit,
      takeInput: () => this.#takeQueued(),
      knownOf: (call: RequestedToolCall) =>
        memory.recollection.about(call, services.projectRoot, this.#signal),
    };
  }

  async #finish(typed: { readonly text: string; readonly before: number } | undefined) {
    const { services, memory, record } = this.#context;
    if (typed !== undefined) {
      const messages = this.#history.messages.slice(typed.before);
      await memory.learnFrom(messages, typed.text, this.#signal);
    }
    const { settings, projectRoot, environment, exitGuard, wrapCommand } = services;
    if (settings.hooks.stop.length === 0) return;
    await this.#watch.willRunCommand();
    const failures = await runStopHooks({
      hooks: settings.hooks.stop,
      threadId: record.state.threadId,
      cwd: projectRoot,
      processName: record.processName,
      ...{ environment, exitGuard, wrapCommand, signal: this.#signal },
      timeoutMs: settings.hookTimeoutMs,
    });
    for (const failure of failures) {
      const message = stripControl(describeHookFailure("stop", failure));
      this.#emit({ type: "status", phase: "info", message });
    }
  }

  /** Emits `running` … `idle` around the body; a failure or cancel becomes the outcome. */
  async #run(message: Message | undefined, body: () => Promise<string>): Promise<TurnResult> {
    if (this.#signal.aborted) return { outcome: "aborted", text: "" };
    const { events, work, spending } = this.#context;
    const runId = randomIds.next("run_");
    events.runId = runId;
    this.#context.onRunning(true);
    let result: TurnResult;
    try {
      this.#begin(runId, message);
      watchContextWindow({
        ...{ client: this.#client, gauge: work.gauge },
        ...{ emit: this.#context.emit, signal: this.#signal },
      });
      result = { outcome: "completed", text: await body() };
    } catch (error) {
      result = { outcome: this.#signal.aborted ? "aborted" : "failed", text: "" };
      if (!this.#signal.aborted) this.#emitError(error);
    }
    try {
      await this.#end(runId, message, result.outcome);
    } catch (error) {
      this.#emitError(error);
    }
    this.#context.onRunning(false);
    const rest = spending.takeRest();
    this.#emit({ type: "status", phase: "idle", ...(rest !== undefined && { usage: rest }) });
    events.runId = undefined;
    if (result.outcome === "aborted") this.#start.onAborted();
    return result;
  }

  /** The text is stored before the model gets it, so that it survives a crash. */
  #begin(runId: string, message: Message | undefined): void {
    const { record } = this.#context;
    const { queuedId } = this.#start;
    const text = message?.isMain === true ? message.text : undefined;
    const mentionText = this.#options.expandMentions === true ? text : undefined;
    try {
      record.append({
        ...{ type: "run", runId, state: "started" },
        ...(text !== undefined && { text }),
        ...(queuedId !== undefined && { queuedId }),
      });
      record.saveState({ runOpen: true });
    } finally {
      // Also on a full disk: every `idle` follows a `running`.
      this.#emit({
        type: "status",
        phase: "running",
        ...(mentionText !== undefined && { said: mentionText }),
      });
    }
  }

  async #end(runId: string, message: Message | undefined, outcome: TurnResult["outcome"]) {
    const { record, processes, services } = this.#context;
    this.#history.closeOpenCalls("The run ended before this call had a result.");
    if (outcome === "aborted") {
      await processes.killAll();
      this.#emit({ type: "status", phase: "aborted" });
    }
    await message?.atEnd();
    const notice = services.checkpoints.takeNotice();
    if (notice !== undefined) this.#emit({ type: "status", phase: "info", message: notice });
    record.append({ type: "run", runId, state: outcome });
    record.saveState({ runOpen: false });
    record.touch();
  }

  #tools(): Promise<readonly Tool[]> {
    const { services, record, emit, spending, memory, labels } = this.#context;
    const { threadId } = record.state;
    const shared = { services, emit, threadId, spending, labels, heldCalls: memory.heldCalls };
    return threadTools({
      services,
      threadId,
      depth: 0,
      only: this.#options.tools,
      askUser: askUntilAborted(this.#options.askUser ?? this.#start.askUser, this.#signal),
      delegate: (work) =>
        delegate(
          {
            ...shared,
            client: this.#client,
            processName: record.processName,
            depth: 1,
            watch: this.#watch,
          },
          work,
        ),
    });
  }

  async #systemPrompt(tools: readonly Tool[]): Promise<string> {
    const text = await this.#context.prompt.textFor(tools, this.#signal);
    const { systemAddition } = this.#options;
    return systemAddition === undefined ? text : `${text}\n\n${systemAddition}`;
  }

  async #takeQueued(): Promise<readonly UserContent[]> {
    const { queue, services } = this.#context;
    const messages = queue.takeText();
    const contents: UserContent[] = [];
    try {
      for (const { text } of messages) contents.push(await this.#expand(text));
      this.#signal.throwIfAborted();
    } catch (error) {
      queue.putBack(messages);
      throw error;
    }
    for (const { text } of messages) {
      this.#emit({ type: "status", phase: "interjection", message: text });
    }
    // After they joined the history: a crash leaves them in one of the two.
    if (messages.length > 0) {
      setImmediate(() => {
        try {
          queue.settle(messages);
        } catch (error) {
          services.logger.error(messageOf(error));
        }
      });
    }
    return contents;
  }

  #expand(text: string): Promise<UserContent> {
    const { services, memory, emit } = this.#context;
    const { recollection } = memory;
    return messageContent(text, {
      ...{ services, recollection, emit, threadId: this.#context.record.state.threadId },
      ...{ client: this.#client, signal: this.#signal },
    });
  }

  #emit(event: AgentEventBody): void {
    this.#context.emit(event);
  }

  #emitError(error: unknown): void {
    const code = isCairnError(error) ? error.code : "internal";
    if (!isCairnError(error)) this.#context.services.logger.error(messageOf(error));
    this.#emit({ type: "error", message: messageOf(error), code });
  }
}

function askUntilAborted(ask: AskUser, signal: AbortSignal): AskUser {
  return (question, choices) =>
    new Promise((resolve, reject) => {
      const onAbort = () => reject(signal.reason);
      signal.addEventListener("abort", onAbort, { once: true });
      ask(question, choices)
        .then(resolve, reject)
        .finally(() => signal.removeEventListener("abort", onAbort));
    });
}

interface MessageContext {
  readonly services: HostServices;
  readonly client: Pick<ModelClient, "model" | "seesImages">;
  readonly recollection: Recollection;
  readonly emit: (event: AgentEventBody) => void;
  readonly signal: AbortSignal;
  readonly threadId: string;
}

async function messageContent(
  text: string,
  { services, client, recollection, emit, signal, threadId }: MessageContext,
): Promise<UserContent> {
  const { projectRoot, settings, mcpServers, storedImages } = services;
  const { allowOutsideProject, editMode } = settings;
  const notify = (message: string) => emit({ type: "status", phase: "info", message });
  const expanded = await expandMentions({
    text,
    projectRoot,
    allowOutsideProject,
    editMode,
    storedImages,
    readResource: (mention) => mcpServers.readResource(mention, signal),
  });
  for (const message of expanded.warnings) notify(message);
  await services.permission.mentioned(threadId, expanded.files);
  services.permission.readBy(
    threadId,
    expanded.servers.map((server) => `mcp:${server}`),
  );
  const { pictures } = expanded;
  if (pictures.length > 0 && !client.seesImages) {
    notify(
      `${client.model} is not known to accept images, so they were replaced by a note. Choose another model with /model, or set "vision": true if this one accepts them.`,
    );
  }
  return userContent(await recollection.append(expanded.text, text, signal), pictures);
}
