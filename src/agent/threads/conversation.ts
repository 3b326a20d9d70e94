import type { ModelClient, ModelMessage } from "../../llm/index.ts";
import { toTimestamp } from "../../shared/clock.ts";
import { ThreadCheckpoints } from "../checkpoints/thread-checkpoints.ts";
import { History, type HistoryStore } from "../loop/history.ts";
import { Spending } from "../loop/spending.ts";
import type { Undo } from "../ports/checkpoint.ts";
import type { AgentEventBody, ThreadControl, TurnOptions } from "../ports/events.ts";
import type { ChosenModel, ShownOnThread } from "../ports/thread-host.ts";
import { ProcessTable } from "../processes/process-table.ts";
import { SubagentLabels } from "../subagents/subagent-labels.ts";
import type { EventLog } from "./event-log.ts";
import type { HostServices } from "./host-services.ts";
import type { MessageQueue } from "./message-queue.ts";
import { ThreadMemory } from "./thread-memory.ts";
import { ThreadPrompt, WorkedHistory } from "./thread-prompt.ts";
import type { ThreadRecord } from "./thread-record.ts";
import { Turn, type TurnContext, type TurnStart } from "./turn.ts";

export interface ConversationOptions {
  readonly services: HostServices;
  readonly record: ThreadRecord;
  readonly events: EventLog;
  readonly queue: MessageQueue;
}

export class Conversation {
  readonly processes: ProcessTable;
  readonly checkpoints: ThreadCheckpoints;
  readonly store: HistoryStore;
  readonly #options: ConversationOptions;
  readonly #emit: (event: AgentEventBody) => void;
  readonly #prompt: ThreadPrompt;
  #client: ModelClient;
  readonly #work: WorkedHistory;
  readonly #memory: ThreadMemory;
  readonly #turns: TurnContext;
  #isRunning = false;

  constructor(options: ConversationOptions) {
    const { services, record, events } = options;
    this.#options = options;
    this.#emit = (event) => events.emit(event);
    this.#client = services.client;
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
        const { threadId } = services.sessions.archive(record, messages);
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
    this.#turns = {
      ...options,
      emit: this.#emit,
      work: this.#work,
      memory: this.#memory,
      prompt: this.#prompt,
      checkpoints: this.checkpoints,
      processes: this.processes,
      spending: new Spending({ maxCost: services.settings.maxCost }),
      labels: new SubagentLabels(),
      knownFiles: new Set(),
      onRunning: (isRunning) => {
        this.#isRunning = isRunning;
      },
    };
  }

  get isRunning(): boolean {
    return this.#isRunning;
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

  #turn(start: TurnStart, options?: TurnOptions): Turn {
    return new Turn(this.#turns, this.#client, start, options);
  }

  control(options: TurnStart): ThreadControl {
    const conversation = this;
    return {
      threadId: this.#options.record.state.threadId,
      get model() {
        return conversation.#client.model;
      },
      get messageCount() {
        return conversation.#work.current.messages.length;
      },
      runTurn: (text, turn) => this.#turn(options, turn).answer(text),
      handover: () => this.#turn(options).handover(),
      withSeparateHistory: (body) => this.#work.withSeparateHistory(body),
      clearHistory: async () => {
        await this.#memory.storedSession.learn();
        this.#work.current.startAfresh([]);
        this.#work.gauge.reset();
        const { services, record } = this.#options;
        services.permission.forget(record.state.threadId);
        record.saveState({ readOfOthers: [] });
      },
      undo: this.#undoAndForget(),
      shownMemories: () => this.#memory.recollection.latest,
      keepOffers: (numbers) => this.#memory.offers.storeOffers(numbers, options.signal),
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

  choose({ model, effort }: Partial<ChosenModel>): void {
    if (effort !== undefined) this.#client = this.#client.withEffort(effort);
    if (model === undefined) return;
    this.#client = this.#client.withModel(model);
    this.#work.remeasure();
    this.#options.record.chooseModel(model);
  }

  get shownMemory(): ShownOnThread {
    return { atStart: [...this.#prompt.shown], since: this.#memory.recollection.latest };
  }

  end(): Promise<void> {
    return this.#memory.storedSession.learn();
  }

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
}
