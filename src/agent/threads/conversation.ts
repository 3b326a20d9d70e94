import { toTimestamp } from "../../kernel/clock.ts";
import type { ModelClient, ModelMessage, RequestedToolCall } from "../../llm/index.ts";
import { ThreadCheckpoints } from "../checkpoints/thread-checkpoints.ts";
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
import type { HostServices } from "./host-services.ts";
import { takeJoining } from "./joining-messages.ts";
import { messageContent } from "./message-content.ts";
import type { MessageQueue } from "./message-queue.ts";
import { hasToolAnswers, personsWords } from "./persons-part.ts";
import { RunFrame, type RunStart } from "./run-frame.ts";
import { tellStopHooks } from "./tell-stop-hooks.ts";
import { ThreadMemory } from "./thread-memory.ts";
import { ThreadPrompt } from "./thread-prompt.ts";
import type { ThreadRecord } from "./thread-record.ts";
import { threadTools } from "./thread-tools.ts";
import { watchWindow } from "./watch-window.ts";
import { WorkedHistory } from "./worked-history.ts";

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
  readonly #work: WorkedHistory;
  readonly #spending: Spending;
  readonly #memory: ThreadMemory;
  readonly #labels = new SubagentLabels();
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
      threadId: () => record.state.threadId,
      emit: this.#emit,
    });
    this.#memory = new ThreadMemory({
      services,
      record,
      emit: this.#emit,
      shownAtStart: () => this.#prompt.shown,
    });
    this.store = {
      append: (message) => {
        record.append({ type: "message", message });
        record.saveState({ messageCount: this.#work.main.messages.length, isKept: undefined });
      },
      replace: (messages) => {
        record.append({ type: "history", messages });
        this.#memory.recollection.restore(messages);
        record.saveState({ messageCount: messages.length });
      },
      startAfresh: (messages) => {
        const { threadId } = services.sessions.keep(record, messages);
        record.leaveTitle();
        record.saveState({ parent: threadId });
      },
    };
    this.#work = new WorkedHistory(new History([], this.store));
    this.checkpoints = new ThreadCheckpoints({
      project: services.checkpoints,
      threadId: record.state.threadId,
      memory: services.memory,
      now: () => toTimestamp(services.clock.now()),
      conversation: () => this.#work.main,
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
    return this.#work.main.messages;
  }

  restore(history: History): void {
    this.#work.restore(history);
    this.#memory.recollection.restore(history.messages);
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
        return conversation.#work.current.messages.length;
      },
      runTurn: (text, turn = {}) => this.#runTurn(text, turn, options),
      handover: () => this.#handover(options),
      withSeparateHistory: (body) => this.#work.beside(body),
      clearHistory: async () => {
        await this.#memory.kept.learn();
        this.#work.current.startAfresh([]);
        this.#work.gauge.reset();
        const { services, record } = this.#options;
        services.permission.forget(record.state.threadId);
        record.saveState({ readOfOthers: [] });
      },
      undo: this.#undoAndForget(),
      toldMemories: () => this.#memory.recollection.latest,
      keepOffers: (numbers) => this.#memory.offers.keep(numbers, options.signal),
      get effort() {
        return conversation.#client.effort;
      },
      setEffort: async (effort) => this.choose({ effort }),
      models: () => this.#client.models(options.signal),
      get modelsKnownAt() {
        return conversation.#client.knownAt;
      },
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
    this.#work.measureAnew();
    this.#options.record.chooseModel(model);
  }

  get told(): ToldOnThread {
    return { atStart: [...this.#prompt.shown], since: this.#memory.recollection.latest };
  }

  #runTurn(text: string, turn: TurnOptions, control: ControlOptions): Promise<TurnResult> {
    const { isMain } = this.#work;
    const kept = isMain ? { text, ...(turn.expandMentions === true && { said: text }) } : {};
    const checkpoint = this.checkpoints.begin(text, isMain ? this.#work.main : undefined);
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
        history: this.#work.current,
        system,
        tools,
        toolContext: { paths: services.paths, processes: this.processes },
        permit: this.#memory.held.before(
          services.permission.gate({
            threadId: this.#options.record.state.threadId,
            knownFiles: this.#knownFiles,
            said: () => personsWords(this.#work.main.messages),
            hasRead: () => hasToolAnswers(this.#work.main.messages),
            readOfOthers: this.#options.record.state.readOfOthers ?? [],
            onRead: (sources) => this.#options.record.saveState({ readOfOthers: [...sources] }),
          }),
        ),
        limits: settings,
        watch: checkpoint.watch,
        gauge: this.#work.gauge,
        spending: this.#spending,
        signal,
        emit: this.#emit,
        takeInput: () =>
          takeJoining({
            queue: this.#options.queue,
            emit: this.#emit,
            logger: services.logger,
            signal,
            contentOf: (waiting) => this.#expand(waiting, signal),
          }),
        knownOf: (call: RequestedToolCall) =>
          this.#memory.recollection.about(call, services.projectRoot, signal),
      };
      if (turn.afresh === true) {
        await handOver({ ...run, prompt: text });
        this.#emit({ type: "status", phase: "success", message: "Going on from the summary." });
      }
      const isTyped = turn.expandMentions === true;
      const content = isTyped ? await this.#expand(text, signal) : text;
      const before = this.#work.current.messages.length;
      this.#work.current.append({ role: "user", content });
      const answer = await runLoop(run);
      if (isTyped && isMain) {
        const said = this.#work.main.messages.slice(before);
        await this.#memory.learnFrom(said, text, signal);
      }
      if (settings.hooks.stop.length > 0) await checkpoint.watch.willRunCommand();
      await tellStopHooks({ services, record: this.#options.record, emit: this.#emit, signal });
      return answer;
    });
  }

  /** Once it is over: keeps what it taught. */
  end(): Promise<void> {
    return this.#memory.kept.learn();
  }

  #handover(control: ControlOptions): Promise<TurnResult> {
    return this.#asRun(control, async (signal) => {
      const tools = await this.#toolsOf({}, signal);
      const system = await this.#systemPrompt(tools, {}, signal);
      const emit = this.#emit;
      const client = this.#client;
      const history = this.#work.current;
      const gauge = this.#work.gauge;
      const spending = this.#spending;
      await this.#memory.kept.learn();
      return handOver({ client, history, system, tools, gauge, spending, emit, signal });
    });
  }

  #asRun(
    start: Omit<RunStart, "history">,
    body: (signal: AbortSignal) => Promise<string>,
  ): Promise<TurnResult> {
    return this.#frame.around({ ...start, history: this.#work.current }, (signal) => {
      watchWindow({ client: this.#client, gauge: this.#work.gauge, emit: this.#emit, signal });
      return body(signal);
    });
  }

  /** A conversation that was cut back takes another share of the window. */
  #undoAndForget(): Undo {
    const { checkpoints } = this;
    const gauge = this.#work.gauge;
    const forget = <Report>(report: Report): Report => {
      gauge.reset();
      return report;
    };
    return {
      turns: () => checkpoints.turns(),
      undo: async (wish) => {
        const report = await checkpoints.undo(wish);
        this.#memory.mistakes.takenBack(report.files);
        return forget(report);
      },
      redo: async () => forget(await checkpoints.redo()),
    };
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
            held: this.#memory.held,
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

  #expand(text: string, signal: AbortSignal): Promise<UserContent> {
    return messageContent(text, {
      services: this.#options.services,
      client: this.#client,
      recollection: this.#memory.recollection,
      emit: this.#emit,
      signal,
    });
  }
}
