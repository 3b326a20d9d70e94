import { randomUUID } from "node:crypto";
import { toTimestamp } from "../../shared/clock.ts";
import { CairnError, messageOf } from "../../shared/errors.ts";
import { findLockHolder } from "../../shared/process-lock.ts";
import type { AgentEventBody } from "../ports/events.ts";
import type { CreateThreadOptions, ThreadInfo } from "../ports/thread-host.ts";
import { tablesAlive } from "../processes/process-table.ts";
import type { HostServices } from "./host-services.ts";
import { closedThreadError, Thread } from "./thread.ts";
import { checkThreadId, findRecords, type RecordLocation, ThreadRecord } from "./thread-record.ts";

export class ThreadRegistry {
  readonly #services: HostServices;
  readonly #threads = new Map<string, Thread>();
  readonly #opened = new Set<string>();
  /** A new thread of the same id waits for them. */
  readonly #deletions = new Map<string, Promise<void>>();
  #isClosed = false;

  constructor(services: HostServices) {
    this.#services = services;
  }

  /** Restores threads of earlier starts; interrupted runs are marked as aborted. */
  async restore(): Promise<void> {
    const { files, logger } = this.#services;
    const threads = (await findRecords(this.#place)).map((record) => ({
      thread: this.#add(record),
      record,
    }));
    const alive = threads.length === 0 ? new Set<string>() : tablesAlive();
    const closings = threads.map(async ({ thread, record }) => {
      const { threadId } = thread;
      try {
        const isStored = findLockHolder(files.lock(threadId)) !== undefined;
        if (!isStored && alive.has(record.processName)) {
          await record.killLeftovers();
          logger.warn(`Ended what a killed cairn had left running on "${threadId}".`);
        }
        if (record.state.runOpen && !isStored) await thread.load();
        await thread.release();
      } catch (error) {
        logger.warn(`The thread "${threadId}" could not be read: ${messageOf(error)}`);
      }
    });
    await Promise.all(closings);
  }

  async create(options: CreateThreadOptions): Promise<ThreadInfo> {
    this.#refuseWhenClosed();
    const threadId = checkThreadId(options.threadId ?? randomUUID());
    await this.#deletions.get(threadId);
    const thread = this.#threads.get(threadId) ?? this.#make(threadId, options.systemPromptPrefix);
    thread.emit({ type: "thread.created" });
    if (!thread.isBusy) await thread.release();
    return thread.info;
  }

  adopt(record: ThreadRecord): ThreadInfo {
    const thread = this.#add(record);
    record.close().catch((error) => this.#services.logger.warn(messageOf(error)));
    return thread.info;
  }

  list(): readonly ThreadInfo[] {
    return [...this.#threads.values()].map((thread) => thread.info);
  }

  /** Throws not_found. */
  get(threadId: string): Thread {
    const thread = this.#threads.get(threadId);
    if (thread === undefined) throw closedThreadError(threadId);
    return thread;
  }

  /** Throws not_found, and unavailable once the host closes. */
  toChange(threadId: string): Thread {
    this.#refuseWhenClosed();
    return this.get(threadId);
  }

  /** Marks the thread as open. Throws as `toChange`. */
  toWorkOn(threadId: string): Thread {
    const thread = this.toChange(threadId);
    this.#opened.add(threadId);
    return thread;
  }

  emitToAll(event: AgentEventBody): void {
    for (const thread of this.#threads.values()) thread.emit(event);
  }

  async delete(threadId: string): Promise<void> {
    const thread = this.get(threadId);
    thread.take();
    this.#threads.delete(threadId);
    this.#opened.delete(threadId);
    const deletion = thread.delete().finally(() => this.#deletions.delete(threadId));
    this.#deletions.set(threadId, deletion);
    await deletion;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const closing = [...this.#threads.values()].map((thread) => thread.close());
    await Promise.all([...closing, ...this.#deletions.values()]);
  }

  #make(threadId: string, systemPromptPrefix: string | undefined): Thread {
    const limit = this.#services.limits.threads;
    if (this.#opened.size >= limit) {
      throw new CairnError("too_large", `${limit} threads are open already: delete one.`);
    }
    const prefix = systemPromptPrefix?.trim();
    const named = { threadId, createdAt: this.#place.now() };
    const record = ThreadRecord.create(
      this.#place,
      prefix ? { ...named, systemPromptPrefix: prefix } : named,
    );
    const thread = this.#add(record);
    this.#opened.add(threadId);
    return thread;
  }

  #add(record: ThreadRecord): Thread {
    const thread = new Thread(this.#services, record);
    this.#threads.set(thread.threadId, thread);
    return thread;
  }

  #refuseWhenClosed(): void {
    if (this.#isClosed) throw new CairnError("unavailable", "cairn is closing.");
  }

  get #place(): RecordLocation {
    const { files, clock, logger } = this.#services;
    return { files, now: () => toTimestamp(clock.now()), logger };
  }
}
