import type { ModelClient, RequestedToolCall } from "../../llm/index.ts";
import type { ThreadCheckpoints } from "../checkpoints/thread-checkpoints.ts";
import { handOver } from "../loop/hand-over.ts";
import { runLoop } from "../loop/run-loop.ts";
import { Spending } from "../loop/spending.ts";
import type { UserContent } from "../loop/user-content.ts";
import type { FileWatch } from "../ports/checkpoint.ts";
import type { AgentEventBody } from "../ports/events.ts";
import type { TurnOptions, TurnResult } from "../ports/thread-control.ts";
import type { ProcessTable } from "../processes/process-table.ts";
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
import type { ThreadMemory } from "./thread-memory.ts";
import type { ThreadPrompt } from "./thread-prompt.ts";
import type { ThreadRecord } from "./thread-record.ts";
import { threadTools } from "./thread-tools.ts";
import { watchWindow } from "./watch-window.ts";
import type { WorkedHistory } from "./worked-history.ts";

/** Tools that no turn runs: those of a handover are described and not called. */
const NO_WATCH: FileWatch = { willWrite: async () => {}, willRunCommand: async () => {} };

export interface TurnsOptions {
  readonly services: HostServices;
  readonly record: ThreadRecord;
  readonly events: EventLog;
  /** Messages that wait and may join the run. */
  readonly queue: MessageQueue;
  readonly emit: (event: AgentEventBody) => void;
  /** The one chosen when a turn begins. */
  readonly client: () => ModelClient;
  readonly work: WorkedHistory;
  readonly memory: ThreadMemory;
  readonly prompt: ThreadPrompt;
  readonly checkpoints: ThreadCheckpoints;
  readonly processes: ProcessTable;
}

export type ControlOptions = Pick<RunStart, "onAborted" | "queuedId" | "signal">;

/** The turns of a thread: what each is given, and what becomes of it before and after the model has worked. */
export class Turns {
  readonly #options: TurnsOptions;
  readonly #emit: (event: AgentEventBody) => void;
  readonly #spending: Spending;
  readonly #labels = new SubagentLabels();
  /** Files that were read or written here: replacing another asks. */
  readonly #knownFiles = new Set<string>();
  readonly #frame: RunFrame;
  /** Of the turn at work. */
  #watch: FileWatch | undefined;

  constructor(options: TurnsOptions) {
    const { services, record, events, emit, processes } = options;
    this.#options = options;
    this.#emit = emit;
    this.#spending = new Spending({ maxCost: services.settings.maxCost });
    this.#frame = new RunFrame({
      record,
      events,
      emit,
      processes,
      notice: () => services.checkpoints.takeNotice(),
      usage: () => this.#spending.takeRest(),
      logger: services.logger,
    });
  }

  get isRunning(): boolean {
    return this.#frame.isOpen;
  }

  /** From the checkpoint before it to what it taught. */
  run(text: string, turn: TurnOptions, control: ControlOptions): Promise<TurnResult> {
    const { isMain } = this.#options.work;
    const kept = isMain ? { text, ...(turn.expandMentions === true && { said: text }) } : {};
    const checkpoint = this.#options.checkpoints.begin(
      text,
      isMain ? this.#options.work.main : undefined,
    );
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
        client: this.#options.client(),
        history: this.#options.work.current,
        system,
        tools,
        toolContext: { paths: services.paths, processes: this.#options.processes },
        permit: this.#options.memory.held.before(
          services.permission.gate({
            threadId: this.#options.record.state.threadId,
            knownFiles: this.#knownFiles,
            said: () => personsWords(this.#options.work.main.messages),
            hasRead: () => hasToolAnswers(this.#options.work.main.messages),
            readOfOthers: this.#options.record.state.readOfOthers ?? [],
            onRead: (sources) => this.#options.record.saveState({ readOfOthers: [...sources] }),
          }),
        ),
        limits: settings,
        watch: checkpoint.watch,
        gauge: this.#options.work.gauge,
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
          this.#options.memory.recollection.about(call, services.projectRoot, signal),
      };
      if (turn.afresh === true) {
        await handOver({ ...run, prompt: text });
        this.#emit({ type: "status", phase: "success", message: "Going on from the summary." });
      }
      const isTyped = turn.expandMentions === true;
      const content = isTyped ? await this.#expand(text, signal) : text;
      const before = this.#options.work.current.messages.length;
      this.#options.work.current.append({ role: "user", content });
      const answer = await runLoop(run);
      if (isTyped && isMain) {
        const said = this.#options.work.main.messages.slice(before);
        await this.#options.memory.learnFrom(said, text, signal);
      }
      if (settings.hooks.stop.length > 0) await checkpoint.watch.willRunCommand();
      await tellStopHooks({ services, record: this.#options.record, emit: this.#emit, signal });
      return answer;
    });
  }

  /** Sums the history up for whoever goes on, in a turn without tools. */
  handover(control: ControlOptions): Promise<TurnResult> {
    return this.#asRun(control, async (signal) => {
      const tools = await this.#toolsOf({}, signal);
      const system = await this.#systemPrompt(tools, {}, signal);
      const emit = this.#emit;
      const client = this.#options.client();
      const history = this.#options.work.current;
      const gauge = this.#options.work.gauge;
      const spending = this.#spending;
      await this.#options.memory.kept.learn();
      return handOver({ client, history, system, tools, gauge, spending, emit, signal });
    });
  }

  #asRun(
    start: Omit<RunStart, "history">,
    body: (signal: AbortSignal) => Promise<string>,
  ): Promise<TurnResult> {
    return this.#frame.around({ ...start, history: this.#options.work.current }, (signal) => {
      watchWindow({
        client: this.#options.client(),
        gauge: this.#options.work.gauge,
        emit: this.#emit,
        signal,
      });
      return body(signal);
    });
  }

  #toolsOf(turn: TurnOptions, signal: AbortSignal): Promise<readonly Tool[]> {
    const { services, record } = this.#options;
    const { threadId } = record.state;
    const emit = this.#emit;
    const client = this.#options.client();
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
            held: this.#options.memory.held,
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
    const text = await this.#options.prompt.textFor(tools, signal);
    return turn.systemAddition === undefined ? text : `${text}\n\n${turn.systemAddition}`;
  }

  #expand(text: string, signal: AbortSignal): Promise<UserContent> {
    return messageContent(text, {
      services: this.#options.services,
      client: this.#options.client(),
      recollection: this.#options.memory.recollection,
      emit: this.#emit,
      signal,
    });
  }
}
