import { computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { LiveSocket } from "../../client/index.ts";
import type { ClientMessageToSend, ServerMessage } from "../../server/ui/index.ts";
import type {
  Changes,
  ChosenModel,
  CommandHelp,
  PlannedWork,
  Question,
  Ready,
  ThreadInfo,
  ThreadMemories,
  Turn,
} from "./entry.ts";
import { notifyWhenWaiting } from "./notices.ts";
import { getPrompt, ThreadLog } from "./thread-log.ts";

type ResponseSignal<Value> = Signal<Value | undefined>;

class Responses {
  readonly ready: ResponseSignal<Ready> = signal(undefined);
  readonly commands: Signal<readonly CommandHelp[]> = signal([]);
  readonly turns: ResponseSignal<{ readonly threadId: string; readonly turns: readonly Turn[] }> =
    signal(undefined);
  readonly paths: ResponseSignal<{ readonly typed: string; readonly paths: readonly string[] }> =
    signal(undefined);
  readonly memories: ResponseSignal<ThreadMemories> = signal(undefined);
  /** Plans and tasks of the project. */
  readonly planned: ResponseSignal<PlannedWork> = signal(undefined);
  readonly models: Signal<readonly string[]> = signal([]);
  readonly chosen: ResponseSignal<ChosenModel> = signal(undefined);
  readonly changes: ResponseSignal<Changes> = signal(undefined);

  /** Returns false if the message is an event. */
  take(message: ServerMessage): boolean {
    switch (message.type) {
      case "session.ready":
        this.ready.value = message.payload;
        return true;
      case "command.list":
        this.commands.value = message.payload.commands;
        return true;
      case "path.list":
        this.paths.value = message.payload;
        return true;
      case "thread.told":
        this.memories.value = message.payload;
        return true;
      case "turn.list":
        this.turns.value = message.payload;
        return true;
      case "task.list":
        this.planned.value = message.payload;
        return true;
      case "model.list":
        this.models.value = message.payload.models;
        return true;
      case "thread.chosen":
        this.chosen.value = message.payload;
        return true;
      case "thread.changes":
        this.changes.value = message.payload;
        return true;
      default:
        return false;
    }
  }
}

/** Interval in milliseconds in which several events cause one reload of the thread list. */
const LIST_PAUSE_MS = 120;
/** Polling interval in milliseconds for the end of a flow, which emits no event. */
const FLOW_PAUSE_MS = 1_000;
const HISTORY_ENTRIES = 300;

interface ConnectionOptions {
  readonly token: string;
  /** Called when the server rejects the token. */
  onRefused(): void;
}

/** Connects to the agent and notifies the user when it waits. */
export function connectAgent(options: ConnectionOptions): AgentConnection {
  const connection = new AgentConnection(options);
  notifyWhenWaiting(connection);
  return connection;
}

/** WebSocket client of the agent (protocol version 2). */
export class AgentConnection {
  readonly isLive: Signal<boolean> = signal(false);
  readonly responses = new Responses();
  readonly threads: Signal<readonly ThreadInfo[] | undefined> = signal(undefined);
  readonly questions: Signal<readonly Question[]> = signal([]);
  readonly errorMessage: Signal<string | undefined> = signal(undefined);
  readonly waiting: ReadonlySignal<number>;
  readonly #logs = new Map<string, ThreadLog>();
  readonly #socket: LiveSocket;
  #listTimer: ReturnType<typeof setTimeout> | undefined;
  #nextReloadAt = Number.POSITIVE_INFINITY;
  readonly #undoing = new Map<string, (isDone: boolean) => void>();
  #isOpening = true;

  constructor(options: ConnectionOptions) {
    this.waiting = computed(
      () =>
        this.questions.value.length +
        (this.threads.value ?? []).filter(({ pendingPrompt }) => pendingPrompt !== undefined)
          .length,
    );
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const token = encodeURIComponent(options.token);
    this.#socket = new LiveSocket({
      address: new URL(`${scheme}://${location.host}/ws?token=${token}`),
      onOpen: () => this.#handleOpen(),
      onMessage: (message) => this.#take(message),
      onLost: (wasOpen) => {
        this.isLive.value = false;
        if (!wasOpen) options.onRefused();
      },
    });
  }

  log(threadId: string): ThreadLog {
    const known = this.#logs.get(threadId);
    if (known !== undefined) return known;
    const log = new ThreadLog();
    this.#logs.set(threadId, log);
    this.#subscribe(threadId, log);
    return log;
  }

  /** Returns false without a connection; the message is then not sent. */
  send(message: ClientMessageToSend): boolean {
    return this.#socket.send(message);
  }

  /** True if the token can only answer permission requests and stop runs. */
  get isApprover(): boolean {
    return this.responses.ready.value?.scope === "approve";
  }

  undo(
    payload: { threadId: string; turnId: string; scope: "files" | "conversation" | "both" },
    onEnd: (isDone: boolean) => void = () => undefined,
  ): void {
    if (this.send({ type: "turn.undo", payload })) this.#undoing.set(payload.threadId, onEnd);
    else onEnd(false);
  }

  end(): void {
    this.#socket.close();
  }

  #handleOpen(): void {
    this.isLive.value = true;
    this.#isOpening = true;
    this.questions.value = [];
    this.send({ type: "session.start", payload: { capabilities: ["permission"], client: "page" } });
    for (const [threadId, log] of this.#logs) this.#subscribe(threadId, log);
    this.send({ type: "thread.list", payload: {} });
  }

  #prepare(): void {
    this.#isOpening = false;
    if (this.isApprover) return;
    this.send({ type: "command.list", payload: {} });
    this.send({ type: "model.list", payload: {} });
  }

  #subscribe(threadId: string, log: ThreadLog): void {
    this.send({ type: "thread.subscribe", payload: { threadId, sinceSeq: log.order.ask() } });
  }

  #take(message: ServerMessage): void {
    switch (message.type) {
      case "thread.list":
        this.threads.value = message.payload.threads;
        this.#syncThreads(message.payload.threads);
        if (message.payload.threads.some(isInFlow)) this.#scheduleListReload(FLOW_PAUSE_MS);
        break;
      case "thread.history":
        this.#logs.get(message.payload.threadId)?.restore(message.payload.entries);
        break;
      case "queue.list":
        this.#logs.get(message.payload.threadId)?.takeQueue(message.payload.messages);
        break;
      case "permission.ask":
        this.#ask(message.payload);
        this.#scheduleListReload();
        break;
      case "permission.settled":
        this.questions.value = this.#others(message.payload.questionId);
        this.#scheduleListReload();
        break;
      default:
        if (!this.responses.take(message)) this.#event(message);
        else if (message.type === "session.ready" && this.#isOpening) this.#prepare();
        break;
    }
  }

  #ask(question: Question): void {
    // Approvers can only allow single calls.
    const offered = this.isApprover ? { ...question, always: [] } : question;
    this.questions.value = [...this.#others(question.questionId), offered];
  }

  #others(questionId: string): readonly Question[] {
    return this.questions.peek().filter((question) => question.questionId !== questionId);
  }

  #event(message: ServerMessage): void {
    const { payload } = message;
    const threadId = "threadId" in payload ? payload.threadId : undefined;
    const log = threadId === undefined ? undefined : this.#logs.get(threadId);
    if (affectsThreadList(message)) this.#scheduleListReload();
    if (message.type === "error" && threadId !== undefined) this.#endUndo(threadId, false);
    if (message.type === "error" && message.payload.seq === undefined) {
      log?.order.classify(message);
      this.errorMessage.value = message.payload.message;
      return;
    }
    if (threadId === undefined) return;
    if (message.type === "thread.deleted") {
      this.#logs.delete(threadId);
      return;
    }
    if (log === undefined) return;
    if (message.type === "status" && message.payload.phase === "resync") {
      log.order.restart();
      this.#askForHistory(threadId);
      return;
    }
    if (!log.take(message)) this.#subscribe(threadId, log);
    if (message.type === "status" && message.payload.phase === "success") {
      this.#endUndo(threadId, true);
    }
  }

  #endUndo(threadId: string, isDone: boolean): void {
    const onEnd = this.#undoing.get(threadId);
    if (onEnd === undefined) return;
    this.#undoing.delete(threadId);
    if (isDone) this.#askForHistory(threadId);
    onEnd(isDone);
  }

  #askForHistory(threadId: string): void {
    this.send({ type: "thread.history", payload: { threadId, limit: HISTORY_ENTRIES } });
  }

  /** Shows questions that were pending before this page connected. */
  #syncThreads(threads: readonly ThreadInfo[]): void {
    for (const { threadId, pendingPrompt, isRunning, queued } of threads) {
      const log = this.#logs.get(threadId);
      if (log === undefined) continue;
      if (queued > 0) this.send({ type: "queue.list", payload: { threadId } });
      else if (log.queue.peek().length > 0) log.takeQueue([]);
      log.isRunning.value = isRunning;
      const request = pendingPrompt === undefined ? undefined : getPrompt(pendingPrompt);
      const shown = log.prompt.peek();
      if (request === undefined) log.prompt.value = undefined;
      else if (shown?.text !== request.text) log.prompt.value = request;
    }
  }

  #scheduleListReload(pause = LIST_PAUSE_MS): void {
    if (this.#nextReloadAt <= Date.now() + pause) return;
    clearTimeout(this.#listTimer);
    this.#nextReloadAt = Date.now() + pause;
    this.#listTimer = setTimeout(() => {
      this.#nextReloadAt = Number.POSITIVE_INFINITY;
      this.send({ type: "thread.list", payload: {} });
    }, pause);
  }
}

const LISTED_PHASES: ReadonlySet<string> = new Set([
  "running",
  "idle",
  "queued",
  "info",
  "prompt",
  "interjection",
  "aborted",
  "success",
]);

function isInFlow({ isRunning, isBusy, pendingPrompt }: ThreadInfo): boolean {
  return isBusy === true && !isRunning && pendingPrompt === undefined;
}

function affectsThreadList(message: ServerMessage): boolean {
  if (message.type === "status") return LISTED_PHASES.has(message.payload.phase);
  return message.type === "thread.created" || message.type === "thread.deleted";
}
