import { randomIds } from "../../kernel/ids.ts";
import type { ThreadRecord } from "./thread-record.ts";
import type { QueuedMessage } from "./transcript.ts";

/**
 * Messages that wait for the run, kept in the thread's record from the moment they are acknowledged:
 * one is struck out there once it is part of the conversation, or was dropped.
 */
export class MessageQueue {
  readonly #record: ThreadRecord;
  readonly #list: QueuedMessage[] = [];

  constructor(record: ThreadRecord) {
    this.#record = record;
  }

  get length(): number {
    return this.#list.length;
  }

  /** Those that a killed process left. */
  restore(messages: readonly QueuedMessage[]): void {
    this.#list.push(...messages);
  }

  add(text: string): void {
    const id = randomIds.next("");
    this.#record.append({ type: "queued", id, text });
    this.#list.push({ id, text });
  }

  /** The next one; to be settled once it is in the conversation. */
  take(): QueuedMessage | undefined {
    return this.#list.shift();
  }

  /** All up to the first slash command, which is run as a command later. */
  takeText(): readonly QueuedMessage[] {
    const command = this.#list.findIndex(({ text }) => text.trimStart().startsWith("/"));
    return this.#list.splice(0, command === -1 ? this.#list.length : command);
  }

  settle(messages: readonly QueuedMessage[]): void {
    if (messages.length === 0) return;
    this.#record.append({ type: "unqueued", ids: messages.map(({ id }) => id) });
  }

  /** Forgets all of them; with `keep` only until the next start. Returns how many there were. */
  drop({ keep = false } = {}): number {
    const dropped = this.#list.splice(0);
    if (!keep) this.settle(dropped);
    return dropped.length;
  }
}
