import type { ModelMessage } from "../../llm/index.ts";
import { CairnError, isCairnError, messageOf, stateConflict } from "../../shared/errors.ts";
import type { Logger } from "../../shared/logger.ts";
import { History } from "../loop/history.ts";
import type { ChangedFile, UndoableTurn, UndoRequest } from "../ports/checkpoint.ts";
import type { AgentEventBody } from "../ports/events.ts";
import type { AttemptResult, TasksRequest, TaskToImplement } from "../ports/project-tasks.ts";
import type { SlashCommandContext } from "../ports/slash-command.ts";
import type {
  CancelOptions,
  ChosenModel,
  HistoryEntry,
  QueuedChange,
  ShownOnThread,
  ThreadInfo,
} from "../ports/thread-host.ts";
import { isPlanExit } from "../slash-commands/review.ts";
import { implementTask } from "../tasks/implement-tasks.ts";
import { formatCommand } from "../tasks/project-tasks.ts";
import { Conversation } from "./conversation.ts";
import { EventLog } from "./event-log.ts";
import type { HostServices } from "./host-services.ts";
import { MessageHandler } from "./message-handler.ts";
import { MessageQueue, PendingPrompt } from "./message-queue.ts";
import type { ThreadRecord } from "./thread-record.ts";
import type { QueuedMessage } from "./transcript.ts";
import { historyEntries } from "./transcript.ts";

interface Activity {
  readonly abort: AbortController;
  /** `aborted` and `idle` were sent. */
  announced: boolean;
  command?: string;
}

type Message = {
  readonly text: string;
  readonly id?: string;
  readonly isBidden?: boolean;
  readonly run?: (context: SlashCommandContext) => Promise<void>;
};

interface ThreadWorkOptions {
  readonly record: ThreadRecord;
  readonly conversation: Conversation;
  readonly queue: MessageQueue;
  readonly handler: MessageHandler;
  readonly emit: (event: AgentEventBody) => void;
  readonly logger: Logger;
}

class ThreadWork {
  readonly #options: ThreadWorkOptions;
  #activity: Activity | undefined;
  #settled: Promise<void> = Promise.resolve();
  #ended = false;

  constructor(options: ThreadWorkOptions) {
    this.#options = options;
  }

  get isBusy(): boolean {
    return this.#activity !== undefined;
  }

  get command(): string | undefined {
    return this.#activity?.command;
  }

  end(): void {
    this.#ended = true;
  }

  get hasEnded(): boolean {
    return this.#ended;
  }

  get settled(): Promise<void> {
    return this.#settled;
  }

  start(message: Message): void {
    this.#settled = this.#workThrough(message);
  }

  /** Aborts the current message; if there is none, ends background processes. */
  cancel(): void {
    if (this.#activity === undefined) void this.#options.conversation.processes.killAll();
    else this.#activity.abort.abort(new DOMException("The run was cancelled.", "AbortError"));
  }

  async #workThrough(first: Message): Promise<void> {
    const { queue, record, logger } = this.#options;
    let message: Message | undefined = first;
    while (message !== undefined) {
      await this.#work(message);
      message = this.#ended ? undefined : queue.take();
    }
    this.#activity = undefined;
    await record.release().catch((error) => logger.error(messageOf(error)));
  }

  async #work(waiting: Message): Promise<void> {
    const { record, conversation, emit } = this.#options;
    const { text, id } = waiting;
    const activity: Activity = { abort: new AbortController(), announced: false };
    this.#activity = activity;
    const { signal } = activity.abort;
    try {
      record.nameAfter(text);
      record.touch();
      await this.#handle(waiting, activity);
    } catch (error) {
      if (!signal.aborted) this.#emitError(error);
    }
    if (id !== undefined) this.#settle({ id, text });
    if (signal.aborted && !activity.announced) {
      await conversation.processes.killAll();
      emit({ type: "status", phase: "aborted" });
      emit({ type: "status", phase: "idle" });
    }
  }

  #settle(message: QueuedMessage): void {
    try {
      this.#options.queue.settle([message]);
    } catch (error) {
      this.#emitError(error);
    }
  }

  async #handle({ text, id, isBidden = false, run }: Message, activity: Activity): Promise<void> {
    const { conversation, handler } = this.#options;
    const { signal } = activity.abort;
    const control = conversation.control({
      signal,
      ...(id !== undefined && { queuedId: id }),
      askUser: handler.askUser(signal),
      onAborted: () => {
        if (signal.aborted) activity.announced = true;
      },
    });
    await handler.handle({
      ...{ text, control, signal, isBidden },
      ...(run !== undefined && { run }),
      onCommand: (name) => {
        activity.command = name;
      },
    });
  }

  #emitError(error: unknown): void {
    const { emit, logger } = this.#options;
    logger.error(messageOf(error));
    const code = isCairnError(error) ? error.code : "internal";
    emit({ type: "error", message: messageOf(error), code });
  }
}

export class Thread {
  readonly threadId: string;
  readonly events: EventLog;
  readonly #services: HostServices;
  readonly #record: ThreadRecord;
  readonly #prompt: PendingPrompt;
  readonly #conversation: Conversation;
  readonly #queue: MessageQueue;
  readonly #work: ThreadWork;
  #loading: Promise<void> | undefined;

  constructor(services: HostServices, record: ThreadRecord) {
    this.#services = services;
    this.#record = record;
    this.threadId = record.state.threadId;
    this.events = new EventLog({
      threadId: this.threadId,
      lastSeq: record.state.seq,
      listener: services.publish,
      saveSeq: (seq) => record.saveState({ seq }),
    });
    this.#queue = new MessageQueue(record);
    this.#prompt = new PendingPrompt((event) => this.emit(event));
    this.#conversation = new Conversation({
      services,
      record,
      events: this.events,
      queue: this.#queue,
    });
    const emit = (event: AgentEventBody) => this.emit(event);
    this.#work = new ThreadWork({
      ...{ record, emit, logger: services.logger },
      conversation: this.#conversation,
      queue: this.#queue,
      handler: new MessageHandler({ services, record, prompt: this.#prompt, emit }),
    });
  }

  get info(): ThreadInfo {
    const { createdAt, updatedAt, messageCount, title, parent, isKept } = this.#record.state;
    const pendingPrompt = this.#prompt.question;
    const pendingPermission = this.#services.permission.desk.questionOf(this.threadId);
    return {
      threadId: this.threadId,
      createdAt,
      messageCount,
      isRunning: this.#conversation.isRunning && pendingPrompt === undefined,
      isBusy: this.isBusy,
      queued: this.#queue.length,
      updatedAt,
      ...(pendingPrompt !== undefined && { pendingPrompt }),
      ...(pendingPermission !== undefined && { pendingPermission }),
      ...(title !== undefined && { title }),
      ...(this.#record.model !== undefined && { model: this.#record.model }),
      ...(parent !== undefined && { parent }),
      ...(isKept === true && { isKept }),
    };
  }

  get isBusy(): boolean {
    return this.#work.isBusy;
  }

  /** Reads the conversation once. Throws conflict if another process has it. */
  load(): Promise<void> {
    this.#loading ??= this.#readRecord().catch((error) => {
      this.#loading = undefined;
      throw error;
    });
    return this.#loading;
  }

  async send(text: string): Promise<void> {
    if (text.trim() === "") return;
    await this.load();
    if (this.#work.hasEnded) throw closedThreadError(this.threadId);
    if (this.#prompt.answer(text)) return;
    if (!this.#work.isBusy) {
      if (this.#queue.length > 0) this.#queue.add(text);
      this.#work.start(this.#queue.take() ?? { text });
      return;
    }
    if (this.#work.command === "plan" && isPlanExit(text)) {
      this.cancel();
      return;
    }
    const limit = this.#services.limits.queuedMessages;
    if (this.#queue.length >= limit) {
      throw new CairnError(
        "too_large",
        `${limit} messages are waiting on the thread "${this.threadId}" already: wait, or cancel.`,
      );
    }
    this.#queue.add(text);
    this.emit({ type: "status", phase: "queued", message: text });
  }

  async chosen(): Promise<ChosenModel> {
    await this.load();
    return this.#conversation.chosen;
  }

  async choose(wish: Partial<ChosenModel>): Promise<ChosenModel> {
    await this.load();
    if (this.#work.hasEnded) throw closedThreadError(this.threadId);
    this.#conversation.choose(wish);
    if (!this.isBusy) await this.release();
    return this.#conversation.chosen;
  }

  get shownMemory(): ShownOnThread {
    return this.#conversation.shownMemory;
  }

  async turns(): Promise<readonly UndoableTurn[]> {
    return this.#conversation.checkpoints.turns();
  }

  async changes(): Promise<readonly ChangedFile[]> {
    return this.#conversation.checkpoints.changes();
  }

  async undo({ turnId = "", scope = "both" }: UndoRequest): Promise<void> {
    await this.#bid(`/undo ${scope} ${turnId}`.trim());
  }

  async runTasks(wish: TasksRequest): Promise<void> {
    await this.#bid(formatCommand(wish));
  }

  async implementTask(task: TaskToImplement, earlier?: string): Promise<AttemptResult> {
    let result: AttemptResult = { kind: "stopped" };
    const acceptanceCriteria = [...task.acceptanceCriteria];
    const status = "in-progress" as const;
    const listed = { ...task, acceptanceCriteria, relatedFiles: [], status };
    await this.#start({
      text: `/tasks run ${task.id}`,
      isBidden: true,
      run: async (context) => {
        const surroundings = { plan: undefined, siblings: [] };
        result = await implementTask(context, listed, surroundings, earlier);
      },
    });
    await this.#work.settled;
    return result;
  }

  #bid(text: string): Promise<void> {
    return this.#start({ text, isBidden: true });
  }

  async #start(message: Message): Promise<void> {
    await this.load();
    if (this.#work.hasEnded) throw closedThreadError(this.threadId);
    if (this.isBusy) {
      throw stateConflict(`The thread "${this.threadId}" is busy: cancel it first.`);
    }
    this.#work.start(message);
  }

  async queued(): Promise<readonly QueuedMessage[]> {
    await this.load();
    return this.#queue.waiting;
  }

  async changeQueued(id: string, change: QueuedChange): Promise<void> {
    await this.#reportQueue("A queued message was changed.", () => this.#queue.change(id, change));
  }

  async removeQueued(id: string): Promise<void> {
    await this.#reportQueue("1 queued message was withdrawn.", () => this.#queue.remove(id));
  }

  async #reportQueue(message: string, act: () => void): Promise<void> {
    await this.load();
    if (this.#work.hasEnded) throw closedThreadError(this.threadId);
    act();
    this.emit({ type: "status", phase: "info", message });
    if (!this.isBusy) await this.release();
  }

  cancel({ queued = "keep" }: CancelOptions = {}): void {
    const dropped = queued === "drop" ? this.#queue.drop() : 0;
    if (dropped > 0) {
      const what = dropped === 1 ? "1 queued message was" : `${dropped} queued messages were`;
      this.emit({ type: "status", phase: "info", message: `${what} withdrawn.` });
    }
    this.#work.cancel();
  }

  async history(limit: number): Promise<readonly HistoryEntry[]> {
    await this.load();
    return historyEntries(this.#conversation.mainHistory, limit);
  }

  async messages(): Promise<readonly ModelMessage[]> {
    await this.load();
    return this.#conversation.mainHistory;
  }

  async copy(as: { readonly threadId: string; readonly title?: string }): Promise<ThreadRecord> {
    const copy = this.#record.copy(as, await this.messages());
    copy.saveState({ parent: this.threadId });
    copy.touch();
    return copy;
  }

  rename(title: string): Promise<void> {
    return this.#record.rename(title);
  }

  /** Throws conflict if another process has the thread. */
  take(): void {
    this.#record.takeLock();
  }

  async delete(): Promise<void> {
    await this.#stop();
    await this.#record.remove();
    this.#conversation.checkpoints.remove();
    this.events.end({ type: "thread.deleted" });
  }

  async close(): Promise<void> {
    await this.#stop();
    await this.#conversation.end();
    await this.#record.close();
  }

  emit(event: AgentEventBody): void {
    this.events.emit(event);
  }

  release(): Promise<void> {
    return this.#record.release();
  }

  async #stop(): Promise<void> {
    this.#work.end();
    await this.#loading?.catch(() => undefined);
    this.cancel();
    await this.#work.settled;
    await this.#conversation.processes.killAll();
  }

  async #readRecord(): Promise<void> {
    const { messages, queued, wasCutOff } = await this.#record.load();
    this.#queue.restore(queued);
    this.events.advanceTo(this.#record.state.seq);
    this.#conversation.restore(new History(messages, this.#conversation.store));
    if (wasCutOff) this.#sayCutOff();
    for (const { text } of queued) this.emit({ type: "status", phase: "queued", message: text });
  }

  #sayCutOff(): void {
    this.emit({
      type: "status",
      phase: "aborted",
      message: "The program ended in the middle of this run.",
    });
    this.emit({ type: "status", phase: "idle" });
  }
}

export function closedThreadError(threadId: string): CairnError {
  return new CairnError("not_found", `There is no thread "${threadId}".`);
}
