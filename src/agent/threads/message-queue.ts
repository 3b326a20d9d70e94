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
  /** On their way into the conversation. */
  readonly #taken = new Set<QueuedMessage>();

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
    const taken = this.#list.splice(0, command === -1 ? this.#list.length : command);
    for (const message of taken) this.#taken.add(message);
    return taken;
  }

  settle(messages: readonly QueuedMessage[]): void {
    for (const message of messages) this.#taken.delete(message);
    if (messages.length === 0) return;
    this.#record.append({ type: "unqueued", ids: messages.map(({ id }) => id) });
  }

  /** What was taken, did not come into the conversation and was not dropped is next again. */
  putBack(messages: readonly QueuedMessage[]): void {
    this.#list.unshift(...messages.filter((message) => this.#taken.delete(message)));
  }

  /** Forgets all of them. Returns how many there were. */
  drop(): number {
    const dropped = [...this.#taken, ...this.#list.splice(0)];
    this.settle(dropped);
    return dropped.length;
  }
}
