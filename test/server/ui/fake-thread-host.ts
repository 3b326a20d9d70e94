import type {
  AgentEvent,
  AgentEventBody,
  ThreadHost,
  ThreadInfo,
} from "../../../src/agent/index.ts";
import { QuestionDesk } from "../../../src/agent/permission/question-desk.ts";
import { CairnError, notFound } from "../../../src/shared/errors.ts";

interface FakeThread {
  readonly info: ThreadInfo;
  readonly events: AgentEvent[];
}

export class FakeThreadHost implements ThreadHost {
  chosen = async () => ({ model: "m" });
  choose = async (_threadId: string, wish: { model?: string }) => ({ model: "m", ...wish });
  changes = async () => [{ path: "pay.ts", diff: "-3\n+5\n" }];
  readImage = async () => ({ mediaType: "image/png", data: "" });
  storeImage = async () => "@image:0000000000000000.png";

  readonly threads = new Map<string, FakeThread>();
  readonly calls: (readonly unknown[])[] = [];
  readonly info = {
    model: "m",
    provider: "p",
    cwd: "/project",
    sandbox: "off (no bwrap)",
    permissionMode: "auto" as const,
  };
  readonly mcpServers = {
    list: () => [],
    prompts: () => [],
    resources: () => [],
    reconnect: async () => undefined,
    logIn: async () => undefined,
  };
  readonly desk = new QuestionDesk();
  readonly permission = {
    mode: "auto" as const,
    setMode: () => undefined,
    cycleMode: () => "auto" as const,
    settled: Promise.resolve("auto" as const),
    attach: this.desk.attach.bind(this.desk),
    answer: this.desk.answer.bind(this.desk),
  };
  /** Number of events per thread that `replay` can return. */
  bufferSize = Number.POSITIVE_INFINITY;
  onSend: (threadId: string, text: string) => Promise<void> | void = () => undefined;
  readonly #listeners = new Set<(event: AgentEvent) => void>();

  async create(options: { threadId?: string; systemPromptPrefix?: string } = {}) {
    this.calls.push(["create", options]);
    const threadId = options.threadId ?? `generated-${this.threads.size + 1}`;
    await Promise.resolve();
    const now = "2026-01-01T00:00:00.000Z";
    const info = {
      threadId,
      createdAt: now,
      updatedAt: now,
      messageCount: 0,
      isRunning: false,
      queued: 0,
    };
    const thread = this.threads.get(threadId) ?? { info, events: [] };
    this.threads.set(threadId, thread);
    this.emit(threadId, { type: "thread.created" });
    return thread.info;
  }

  list() {
    return [...this.threads.values()].map(({ info }) => info);
  }

  queued = async () => [{ id: "1", text: "waits" }];
  changeQueued = async (...call: readonly unknown[]) => void this.calls.push(["change", ...call]);
  removeQueued = async (...call: readonly unknown[]) => void this.calls.push(["remove", ...call]);

  implementTask = async () => ({ kind: "passed" as const });

  async tasks() {
    return {
      plans: [{ id: 1, name: "Retries", description: "Try again.", approach: "Step by step." }],
      tasks: [
        { id: "1-1", plan: 1, name: "Count", description: "Count tries.", status: "done" as const },
      ],
    };
  }

  async runTasks(threadId: string, wish: object = {}) {
    this.#thread(threadId);
    this.calls.push(["runTasks", threadId, wish]);
  }

  fork(): Promise<never> {
    return Promise.reject(new Error("nothing forks here"));
  }

  runCheck(): Promise<never> {
    return Promise.reject(new Error("nobody runs checks here"));
  }

  models(): Promise<never> {
    return Promise.reject(new Error("nobody lists models here"));
  }

  shownMemory() {
    return { atStart: ["ep:1"], since: [{ id: "ep:2", text: "Use pnpm." }] };
  }

  async commands() {
    return [
      { name: "help", summary: "Show the commands" },
      { name: "remember", summary: "Keep something", usage: "<text>" },
    ];
  }

  async paths(typed: string, most: number) {
    return ["src/", "src/pay.ts", "README.md"]
      .filter((path) => path.includes(typed))
      .slice(0, most);
  }

  rename(): Promise<never> {
    return Promise.reject(new Error("nothing is renamed here"));
  }

  find(expected: string): ThreadInfo {
    const thread = this.threads.get(expected);
    if (thread === undefined) throw notFound(`There is no thread "${expected}".`);
    return thread.info;
  }

  async runImmediate() {
    return false;
  }

  async delete(threadId: string) {
    this.calls.push(["delete", threadId]);
    this.#thread(threadId);
    await Promise.resolve();
    this.emit(threadId, { type: "thread.deleted" });
    this.threads.delete(threadId);
  }

  async send(threadId: string, text: string) {
    this.#thread(threadId);
    this.calls.push(["send", threadId, text]);
    await this.onSend(threadId, text);
  }

  async turns(threadId: string) {
    this.#thread(threadId);
    const at = "2026-01-01T00:00:00.000Z";
    return [{ turnId: "turn_1", at, text: "write it", files: 2, remembered: 1 }];
  }

  async undo(threadId: string, wish: object = {}) {
    this.#thread(threadId);
    this.calls.push(["undo", threadId, wish]);
  }

  async cancel(threadId: string) {
    this.#thread(threadId);
    this.calls.push(["cancel", threadId]);
  }

  subscribe(listener: (event: AgentEvent) => void) {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  replay(threadId: string, sinceSeq: number) {
    const { events } = this.#thread(threadId);
    const isKept = sinceSeq >= events.length - this.bufferSize && sinceSeq <= events.length;
    return isKept ? events.slice(sinceSeq) : undefined;
  }

  async history(threadId: string, limit = 50) {
    this.#thread(threadId);
    return [{ role: "user" as const, text: `last ${limit}` }];
  }

  async close() {
    this.calls.push(["close"]);
  }

  emit(threadId: string, body: AgentEventBody): void {
    const { events } = this.#thread(threadId);
    const event: AgentEvent = { ...body, threadId, seq: events.length + 1 };
    events.push(event);
    for (const listener of this.#listeners) listener(event);
  }

  setInfo(threadId: string, changes: Partial<ThreadInfo>): void {
    const thread = this.#thread(threadId);
    this.threads.set(threadId, { ...thread, info: { ...thread.info, ...changes } });
  }

  #thread(threadId: string): FakeThread {
    const thread = this.threads.get(threadId);
    if (thread === undefined) throw notFound(`There is no thread "${threadId}".`);
    return thread;
  }
}

export const queueFull = new CairnError("too_large", "The queue of this thread is full.");
