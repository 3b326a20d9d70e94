import { toTimestamp } from "../../kernel/clock.ts";
import { messageOf } from "../../kernel/errors.ts";
import type { ModelClient, ModelMessage, RequestedToolCall } from "../../llm/index.ts";
import { ThreadCheckpoints } from "../checkpoints/thread-checkpoints.ts";
import { ContextGauge } from "../loop/context-gauge.ts";
import { handOver } from "../loop/hand-over.ts";
import { History, type HistoryStore } from "../loop/history.ts";
import { runLoop } from "../loop/run-loop.ts";
import { Spending } from "../loop/spending.ts";
import type { UserContent } from "../loop/user-content.ts";
import type { FileWatch, Undo } from "../ports/checkpoint.ts";
import type { AgentEventBody } from "../ports/events.ts";
import type { ThreadControl, TurnOptions, TurnResult } from "../ports/thread-control.ts";
import type { ChosenModel, ToldOnThread } from "../ports/thread-host.ts";
import { ProcessTable } from "../processes/process-table.ts";
import { SubagentLabels } from "../subagents/subagent-labels.ts";
import type { Tool } from "../tools/define-tool.ts";
import { askUntilAborted } from "./ask-until-aborted.ts";
import { delegate } from "./delegate.ts";
import type { EventLog } from "./event-log.ts";
import { HeldCalls } from "./held-calls.ts";
import type { HostServices } from "./host-services.ts";
import { KeptSession, OWN_SESSIONS } from "./kept-session.ts";
import { messageContent } from "./message-content.ts";
import type { MessageQueue } from "./message-queue.ts";
import { Offers } from "./offers.ts";
import { hasToolAnswers, personsWords } from "./persons-part.ts";
import { Recollection } from "./recollection.ts";
import { RunFrame, type RunStart } from "./run-frame.ts";
import { tellStopHooks } from "./tell-stop-hooks.ts";
import { ThreadPrompt } from "./thread-prompt.ts";
import type { ThreadRecord } from "./thread-record.ts";
import { threadTools } from "./thread-tools.ts";
import type { QueuedMessage } from "./transcript.ts";
import { TurnMistakes } from "./turn-mistakes.ts";
import { watchWindow } from "./watch-window.ts";

/** Tools that no turn runs: those of a handover are described and not called. */
const NO_WATCH: FileWatch = { willWrite: async () => {}, willRunCommand: async () => {} };

export interface ConversationOptions {
  readonly services: HostServices;
  readonly record: ThreadRecord;
  readonly events: EventLog;
  /** Messages that wait and may join the run. */
  readonly queue: MessageQueue;
}

export type ControlOptions = Pick<RunStart, "onAborted" | "queuedId" | "signal">;

/** The history of a thread and the model runs on it. */
export class Conversation {
  readonly processes: ProcessTable;
  readonly checkpoints: ThreadCheckpoints;
  /** Keeps the main history on the disk. */
  readonly store: HistoryStore;
  readonly #options: ConversationOptions;
  readonly #emit: (event: AgentEventBody) => void;
  readonly #prompt: ThreadPrompt;
  #client: ModelClient;
  #main: History;
  #history: History;
  #gauge = new ContextGauge();
  readonly #spending: Spending;
  readonly #recollection: Recollection;
  readonly #offers: Offers;
  readonly #kept: KeptSession;
  readonly #held: HeldCalls;
  readonly #labels = new SubagentLabels();
  readonly #mistakes: TurnMistakes;
  /** Files that were read or written here: replacing another asks. */
  readonly #knownFiles = new Set<string>();
  readonly #frame: RunFrame;
  /** Of the turn at work. */
  #watch: FileWatch | undefined;

  constructor(options: ConversationOptions) {
    const { services, record, events } = options;
    this.#options = options;
    this.#emit = (event) => events.emit(event);
    this.#client = services.client;
    this.#spending = new Spending(services.settings.maxCost);
    this.#prompt = new ThreadPrompt({
      services,
      prefix: () => record.systemPromptPrefix,
      emit: this.#emit,
    });
    this.#kept = new KeptSession({
      memory: services.keepsSessions ? services.memory : undefined,
      threadId: () => record.state.threadId,
      projectRoot: services.projectRoot,
      logger: services.logger,
      emit: this.#emit,
      accepts: services.keepsCorrections,
    });
    const ofMemory = {
      memory: services.memory,
      mayWrite: services.settings.memory === "on",
      projectRoot: services.projectRoot,
      threadId: () => record.state.threadId,
      emit: this.#emit,
      logger: services.logger,
    };
    this.#held = new HeldCalls(ofMemory);
    this.#mistakes = new TurnMistakes(ofMemory);
    this.#offers = new Offers({
      ...ofMemory,
      keepsCorrections: services.keepsCorrections,
      shown: () => this.#recollection.shown,
    });
    this.#recollection = new Recollection({
      ownSource: () => ({ kind: OWN_SESSIONS, key: record.state.threadId }),
      memory: services.memory,
      logger: services.logger,
      emit: this.#emit,
      told: () => this.#prompt.shown,
    });
    this.store = {
      append: (message) => {
        record.append({ type: "message", message });
        record.saveState({ messageCount: this.#main.messages.length, isKept: undefined });
      },
      replace: (messages) => {
        record.append({ type: "history", messages });
        this.#recollection.restore(messages);
        record.saveState({ messageCount: messages.length });
      },
      startAfresh: (messages) => {
        const { threadId } = services.sessions.keep(record, messages);
        record.leaveTitle();
        record.saveState({ parent: threadId });
      },
    };
    this.#main = new History([], this.store);
    this.#history = this.#main;
    this.checkpoints = new ThreadCheckpoints({
      project: services.checkpoints,
      threadId: record.state.threadId,
      memory: services.memory,
      now: () => toTimestamp(services.clock.now()),
      conversation: () => this.#main,
      hasBackground: () => this.processes.list().some(({ state }) => state.phase === "running"),
      isConfined: () => services.isConfined(),
    });
    this.processes = new ProcessTable({
      name: record.processName,
      cwd: services.projectRoot,
      environment: { ...services.environment, CAIRN_SESSION: record.state.threadId },
      wrap: services.wrapCommand,
      guard: services.exitGuard,
    });
    this.#frame = new RunFrame({
      record,
      events,
      emit: this.#emit,
      processes: this.processes,
      notice: () => services.checkpoints.takeNotice(),
      usage: () => this.#spending.takeRest(),
      logger: services.logger,
    });
  }

  get isRunning(): boolean {
    return this.#frame.isOpen;
  }

  get mainHistory(): readonly ModelMessage[] {
    return this.#main.messages;
  }

  restore(history: History): void {
    this.#main = history;
    this.#history = history;
    this.#recollection.restore(history.messages);
    const { model } = this.#options.record;
    if (model !== undefined) this.#client = this.#client.withModel(model);
  }

  control(options: ControlOptions): ThreadControl {
    const conversation = this;
    return {
      threadId: this.#options.record.state.threadId,
      get model() {
        return conversation.#client.model;
      },
      get messageCount() {
        return conversation.#history.messages.length;
      },
      runTurn: (text, turn = {}) => this.#runTurn(text, turn, options),
      handover: () => this.#handover(options),
      withSeparateHistory: (body) => this.#withSeparateHistory(body),
      clearHistory: async () => {
        await this.#kept.learn();
        this.#history.startAfresh([]);
        this.#gauge.reset();
      },
      undo: this.#undoAndForget(),
      toldMemories: () => this.#recollection.latest,
      keepOffers: (numbers) => this.#offers.keep(numbers, options.signal),
      get effort() {
        return conversation.#client.effort;
      },
      setEffort: async (effort) => this.choose({ effort }),
      models: () => this.#client.models(options.signal),
      reloadSystemPrompt: async () => this.#prompt.reload(),
      setModel: async (model) => this.choose({ model }),
    };
  }

  get chosen(): ChosenModel {
    const { model, effort } = this.#client;
    return { model, ...(effort !== undefined && { effort }) };
  }

  /** From the next turn on; the one at work goes on with what it began with. */
  choose({ model, effort }: Partial<ChosenModel>): void {
    if (effort !== undefined) this.#client = this.#client.withEffort(effort);
    if (model === undefined) return;
    this.#client = this.#client.withModel(model);
    this.#gauge = new ContextGauge();
    this.#options.record.chooseModel(model);
  }

  get told(): ToldOnThread {
    return { atStart: [...this.#prompt.shown], since: this.#recollection.latest };
  }

  #runTurn(text: string, turn: TurnOptions, control: ControlOptions): Promise<TurnResult> {
    const isMain = this.#history === this.#main;
    const kept = isMain ? { text, ...(turn.expandMentions === true && { said: text }) } : {};
    const checkpoint = this.checkpoints.begin(text, isMain ? this.#main : undefined);
    this.#watch = checkpoint.watch;
    const ownSignal = turn.signal === undefined ? {} : { ownSignal: turn.signal };
    const start = { ...kept, ...ownSignal, atEnd: checkpoint.end };
    return this.#asRun({ ...control, ...start }, async (signal) => {
      const { services } = this.#options;
      const { settings } = services;
      await Promise.all([checkpoint.ready(), services.mcpServers.ready(signal)]);
      const tools = await this.#toolsOf(turn, signal);
      const system = await this.#systemPrompt(tools, turn, signal);
      const run = {
        client: this.#client,
        history: this.#history,
        system,
        tools,
        toolContext: { paths: services.paths, processes: this.processes },
        permit: this.#held.before(
          services.permission.gate({
            threadId: this.#options.record.state.threadId,
            knownFiles: this.#knownFiles,
            said: () => personsWords(this.#main.messages),
            hasRead: () => hasToolAnswers(this.#main.messages),
          }),
        ),
        limits: settings,
        watch: checkpoint.watch,
        gauge: this.#gauge,
        spending: this.#spending,
        signal,
        emit: this.#emit,
        takeInput: () => this.#takeInput(signal),
        knownOf: (call: RequestedToolCall) =>
          this.#recollection.about(call, services.projectRoot, signal),
      };
      if (turn.afresh === true) {
        await handOver({ ...run, prompt: text });
        this.#emit({ type: "status", phase: "success", message: "Going on from the summary." });
      }
      const isTyped = turn.expandMentions === true;
      const content = isTyped ? await this.#expand(text, signal) : text;
      const before = this.#history.messages.length;
      this.#history.append({ role: "user", content });
      const answer = await runLoop(run);
      if (isTyped && isMain) {
        const said = this.#main.messages.slice(before);
        await this.#kept.keep(said, toTimestamp(services.clock.now()));
        await this.#mistakes.keep(said, text);
        await this.#offers.make(said, signal);
      }
      if (settings.hooks.stop.length > 0) await checkpoint.watch.willRunCommand();
      await tellStopHooks({ services, record: this.#options.record, emit: this.#emit, signal });
      return answer;
    });
  }

  /** Once it is over: keeps what it taught. */
  end(): Promise<void> {
    return this.#kept.learn();
  }

  #handover(control: ControlOptions): Promise<TurnResult> {
    return this.#asRun(control, async (signal) => {
      const tools = await this.#toolsOf({}, signal);
      const system = await this.#systemPrompt(tools, {}, signal);
      const emit = this.#emit;
      const client = this.#client;
      const history = this.#history;
      const gauge = this.#gauge;
      const spending = this.#spending;
      await this.#kept.learn();
      return handOver({ client, history, system, tools, gauge, spending, emit, signal });
    });
  }

  #asRun(
    start: Omit<RunStart, "history">,
    body: (signal: AbortSignal) => Promise<string>,
  ): Promise<TurnResult> {
    return this.#frame.around({ ...start, history: this.#history }, (signal) => {
      watchWindow({ client: this.#client, gauge: this.#gauge, emit: this.#emit, signal });
      return body(signal);
    });
  }

  /** A conversation that was cut back takes another share of the window. */
  #undoAndForget(): Undo {
    const { checkpoints } = this;
    const gauge = this.#gauge;
    const forget = <Report>(report: Report): Report => {
      gauge.reset();
      return report;
    };
    return {
      turns: () => checkpoints.turns(),
      undo: async (wish) => {
        const report = await checkpoints.undo(wish);
        this.#mistakes.takenBack(report.files);
        return forget(report);
      },
      redo: async () => forget(await checkpoints.redo()),
    };
  }

  async #withSeparateHistory<T>(body: () => Promise<T>): Promise<T> {
    const history = this.#history;
    const gauge = this.#gauge;
    this.#history = new History();
    this.#gauge = new ContextGauge();
    try {
      return await body();
    } finally {
      this.#history = history;
      this.#gauge = gauge;
    }
  }

  #toolsOf(turn: TurnOptions, signal: AbortSignal): Promise<readonly Tool[]> {
    const { services, record } = this.#options;
    const { threadId } = record.state;
    const emit = this.#emit;
    const client = this.#client;
    const { processName } = record;
    return threadTools({
      services,
      threadId,
      depth: 0,
      only: turn.tools,
      askUser: turn.askUser === undefined ? undefined : askUntilAborted(turn.askUser, signal),
      delegate: (work) =>
        delegate(
          {
            services,
            client,
            emit,
            threadId,
            processName,
            depth: 1,
            watch: this.#watch ?? NO_WATCH,
            spending: this.#spending,
            held: this.#held,
            labels: this.#labels,
          },
          work,
        ),
    });
  }

  async #systemPrompt(
    tools: readonly Tool[],
    turn: TurnOptions,
    signal: AbortSignal,
  ): Promise<string> {
    const text = await this.#prompt.textFor(tools, signal);
    return turn.systemAddition === undefined ? text : `${text}\n\n${turn.systemAddition}`;
  }

  async #takeInput(signal: AbortSignal): Promise<readonly UserContent[]> {
    const { queue } = this.#options;
    const messages = queue.takeText();
    const expanded: UserContent[] = [];
    try {
      for (const { text } of messages) expanded.push(await this.#expand(text, signal));
      signal.throwIfAborted();
    } catch (error) {
      queue.putBack(messages);
      throw error;
    }
    for (const { text } of messages) {
      this.#emit({ type: "status", phase: "interjection", message: text });
    }
    // After the loop has put them into the history, which it does at once: a crash in between
    // must find them in one of the two.
    if (messages.length > 0) setImmediate(() => this.#settle(messages));
    return expanded;
  }

  #settle(messages: readonly QueuedMessage[]): void {
    try {
      this.#options.queue.settle(messages);
    } catch (error) {
      this.#options.services.logger.error(messageOf(error));
    }
  }

  #expand(text: string, signal: AbortSignal): Promise<UserContent> {
    return messageContent(text, {
      services: this.#options.services,
      client: this.#client,
      recollection: this.#recollection,
      emit: this.#emit,
      signal,
    });
  }
}
