import type { AgentEvent } from "../ports/events.ts";
import type { PermissionMode } from "../ports/permission-mode.ts";
import type { PermissionAnswer, PermissionNotice } from "../ports/permission-question.ts";
import type {
  CancelOptions,
  CreateThreadOptions,
  ImmediateAsker,
  PermissionPort,
  ThreadHost,
  ThreadInfo,
  ToldOnThread,
} from "../ports/thread-host.ts";
import { findThread } from "../slash-commands/find-thread.ts";
import { ThreadsInCopies, type ThreadsInCopiesOptions } from "./threads-in-copies.ts";

const NOTHING_TOLD: ToldOnThread = { atStart: [], since: [] };

type Listener<What> = (what: What) => void;

/** A host some of whose threads work in copies of the project: whoever uses it sees one list. */
export async function withCopies(
  main: ThreadHost,
  options: Pick<ThreadsInCopiesOptions, "maxThreads" | "services">,
): Promise<ThreadHost> {
  const host = new HostWithCopies(main, options);
  await host.restore();
  return host;
}

class HostWithCopies implements ThreadHost {
  readonly permission: PermissionPort;
  readonly #main: ThreadHost;
  readonly #copies: ThreadsInCopies;
  readonly #listeners = new Set<Listener<AgentEvent>>();
  /** Those who answer, with how they leave the agents that they were introduced to. */
  readonly #answerers = new Map<Listener<PermissionNotice>, (() => void)[]>();

  constructor(main: ThreadHost, options: Pick<ThreadsInCopiesOptions, "maxThreads" | "services">) {
    this.#main = main;
    this.#copies = new ThreadsInCopies({
      ...options,
      publish: (event) => {
        for (const listener of this.#listeners) listener(event);
      },
      onOpened: (host) => {
        for (const [listener, leave] of this.#answerers) {
          leave.push(host.permission.attach(listener));
        }
      },
    });
    this.permission = this.#permission();
  }

  restore(): Promise<void> {
    return this.#copies.restore();
  }

  create(options: CreateThreadOptions = {}): Promise<ThreadInfo> {
    const { inCopy = false, threadId } = options;
    const isMain = this.#main.list().some((thread) => thread.threadId === threadId);
    const isCopy = threadId !== undefined && this.#copies.has(threadId);
    return isCopy || (inCopy && !isMain)
      ? this.#copies.create(options)
      : this.#main.create(options);
  }

  list(): readonly ThreadInfo[] {
    return [...this.#main.list(), ...this.#copies.list()];
  }

  find(wanted: string): ThreadInfo {
    return findThread(this.list(), wanted);
  }

  async delete(threadId: string): Promise<void> {
    await (this.#copies.has(threadId) ? this.#copies : this.#main).delete(threadId);
  }

  async discardCopy(threadId: string): Promise<void> {
    await (this.#copies.has(threadId)
      ? this.#copies.discard(threadId)
      : this.#main.discardCopy(threadId));
  }

  async send(threadId: string, text: string): Promise<void> {
    await (await this.#of(threadId)).send(threadId, text);
  }

  keepImage(bytes: Uint8Array): Promise<string> {
    return this.#main.keepImage(bytes);
  }

  runImmediate(text: string, asker: ImmediateAsker): Promise<boolean> {
    return this.#main.runImmediate(text, asker);
  }

  told(threadId: string): ToldOnThread {
    if (!this.#copies.has(threadId)) return this.#main.told(threadId);
    return this.#copies.opened(threadId)?.told(threadId) ?? NOTHING_TOLD;
  }

  async turns(threadId: string): ReturnType<ThreadHost["turns"]> {
    return (await this.#of(threadId)).turns(threadId);
  }

  async undo(...[threadId, wish]: Parameters<ThreadHost["undo"]>): Promise<void> {
    await (await this.#of(threadId)).undo(threadId, wish);
  }

  async copyChanges(threadId: string): ReturnType<ThreadHost["copyChanges"]> {
    return (await this.#of(threadId)).copyChanges(threadId);
  }

  async mergeCopy(...[threadId, wish]: Parameters<ThreadHost["mergeCopy"]>): Promise<void> {
    await (await this.#of(threadId)).mergeCopy(threadId, wish);
  }

  tasks(): ReturnType<ThreadHost["tasks"]> {
    return this.#main.tasks();
  }

  async runTasks(...[threadId, wish]: Parameters<ThreadHost["runTasks"]>): Promise<void> {
    await (await this.#of(threadId)).runTasks(threadId, wish);
  }

  async cancel(threadId: string, options?: CancelOptions): Promise<void> {
    await (await this.#of(threadId)).cancel(threadId, options);
  }

  async queued(threadId: string): ReturnType<ThreadHost["queued"]> {
    return (await this.#of(threadId)).queued(threadId);
  }

  async changeQueued(...call: Parameters<ThreadHost["changeQueued"]>): Promise<void> {
    await (await this.#of(call[0])).changeQueued(...call);
  }

  async removeQueued(threadId: string, id: string): Promise<void> {
    await (await this.#of(threadId)).removeQueued(threadId, id);
  }

  subscribe(listener: Listener<AgentEvent>): () => void {
    this.#listeners.add(listener);
    const leave = this.#main.subscribe(listener);
    return () => {
      this.#listeners.delete(listener);
      leave();
    };
  }

  replay(threadId: string, sinceSeq: number): readonly AgentEvent[] | undefined {
    if (!this.#copies.has(threadId)) return this.#main.replay(threadId, sinceSeq);
    // Of one that nobody has used since the start nothing is kept, only what was said.
    return this.#copies.opened(threadId)?.replay(threadId, sinceSeq);
  }

  async history(threadId: string, limit?: number): ReturnType<NonNullable<ThreadHost["history"]>> {
    return (await (await this.#of(threadId)).history?.(threadId, limit)) ?? [];
  }

  get info(): ThreadHost["info"] {
    return this.#main.info;
  }

  models(): Promise<readonly string[]> {
    return this.#main.models();
  }

  async chosen(threadId: string): ReturnType<ThreadHost["chosen"]> {
    return (await this.#of(threadId)).chosen(threadId);
  }

  async choose(...[threadId, wish]: Parameters<ThreadHost["choose"]>) {
    return (await this.#of(threadId)).choose(threadId, wish);
  }

  commands(): ReturnType<ThreadHost["commands"]> {
    return this.#main.commands();
  }

  paths(typed: string, most: number): Promise<readonly string[]> {
    return this.#main.paths(typed, most);
  }

  get mcpServers(): ThreadHost["mcpServers"] {
    return this.#main.mcpServers;
  }

  runCheck(...call: Parameters<ThreadHost["runCheck"]>): ReturnType<ThreadHost["runCheck"]> {
    return this.#main.runCheck(...call);
  }

  async fork(threadId: string, title?: string): Promise<ThreadInfo> {
    return (await this.#of(threadId)).fork(threadId, title);
  }

  async rename(threadId: string, title: string): Promise<void> {
    await (await this.#of(threadId)).rename(threadId, title);
  }

  async close(): Promise<void> {
    await Promise.all([this.#main.close(), this.#copies.close()]);
  }

  async #of(threadId: string): Promise<ThreadHost> {
    return this.#copies.has(threadId) ? this.#copies.open(threadId) : this.#main;
  }

  #permission(): PermissionPort {
    const { permission } = this.#main;
    const copies = this.#copies;
    const answerers = this.#answerers;
    const all = () => [permission, ...copies.hosts.map((host) => host.permission)];
    return {
      get mode() {
        return permission.mode;
      },
      setMode(mode: PermissionMode) {
        for (const one of all()) one.setMode(mode);
      },
      cycleMode() {
        const mode = permission.cycleMode();
        for (const one of all()) one.setMode(mode);
        return mode;
      },
      settled: permission.settled,
      attach(listener) {
        answerers.set(
          listener,
          all().map((one) => one.attach(listener)),
        );
        return () => {
          for (const leave of answerers.get(listener) ?? []) leave();
          answerers.delete(listener);
        };
      },
      answer(threadId: string, questionId: string, answer: PermissionAnswer) {
        const owner = copies.opened(threadId)?.permission ?? permission;
        owner.answer(threadId, questionId, answer);
      },
    };
  }
}
