import { invalidInput, notFound } from "../../shared/errors.ts";
import { randomIds } from "../../shared/ids.ts";
import type { Choice } from "../ports/dialogue.ts";
import type { AgentEventBody } from "../ports/events.ts";
import type { QueuedChange } from "../ports/thread-host.ts";
import type { ThreadRecord } from "./thread-record.ts";
import type { QueuedMessage } from "./transcript.ts";

interface Waiting {
  readonly question: string;
  readonly answer: (text: string) => void;
}

export class PendingPrompt {
  #waiting: Waiting | undefined;
  readonly #emit: (event: AgentEventBody) => void;

  constructor(emit: (event: AgentEventBody) => void) {
    this.#emit = emit;
  }

  get question(): string | undefined {
    return this.#waiting?.question;
  }

  /** Resolves with the typed reply; rejects with the signal's reason. */
  ask(
    question: string,
    options: { readonly signal: AbortSignal; readonly choices?: readonly Choice[] },
  ): Promise<string> {
    const { signal, choices } = options;
    return new Promise((resolve, reject) => {
      if (signal.aborted) {
        reject(signal.reason);
        return;
      }
      const settle = () => {
        signal.removeEventListener("abort", onAbort);
        if (this.#waiting === waiting) this.#waiting = undefined;
      };
      const onAbort = () => {
        settle();
        reject(signal.reason);
      };
      const waiting: Waiting = {
        question,
        answer: (text) => {
          settle();
          resolve(text);
        },
      };
      this.#waiting = waiting;
      signal.addEventListener("abort", onAbort, { once: true });
      this.#emit({
        type: "status",
        phase: "prompt",
        message: question,
        ...(choices !== undefined && { choices }),
      });
    });
  }

  /** Returns false if no question was open. */
  answer(text: string): boolean {
    if (this.#waiting === undefined) return false;
    this.#waiting.answer(text);
    return true;
  }
}

/** Queued messages; stored until they join the conversation or are dropped. */
export class MessageQueue {
  readonly #record: ThreadRecord;
  readonly #list: QueuedMessage[] = [];
  readonly #used = new Set<QueuedMessage>();

  constructor(record: ThreadRecord) {
    this.#record = record;
  }

  get length(): number {
    return this.#list.length;
  }

  restore(messages: readonly QueuedMessage[]): void {
    this.#list.push(...messages);
  }

  add(text: string): void {
    const id = randomIds.next("");
    this.#record.append({ type: "queued", id, text });
    this.#list.push({ id, text });
  }

  get waiting(): readonly QueuedMessage[] {
    return [...this.#list];
  }

  /**
   * Changes text, position, or both. A moved message and those after it get new ids: an interrupted
   * write may duplicate messages but loses none. Throws not_found, invalid_input.
   */
  change(id: string, { text, place }: QueuedChange): void {
    const at = this.#getLocation(id);
    if (text !== undefined && text.trim() === "") {
      throw invalidInput("text: must not be blank; to withdraw the message, remove it");
    }
    if (text !== undefined) {
      this.#record.append({ type: "queued", id, text });
      this.#list[at] = { id, text };
    }
    if (place !== undefined && place !== at) this.#move(at, place);
  }

  /** Throws not_found. */
  remove(id: string): void {
    this.settle(this.#list.splice(this.#getLocation(id), 1));
  }

  #move(from: number, to: number): void {
    const former = [...this.#list];
    const [moved] = this.#list.splice(from, 1);
    if (moved === undefined) return;
    this.#list.splice(to, 0, moved);
    const first = Math.min(from, to);
    const changed = this.#list.splice(first).map(({ text }) => text);
    for (const text of changed) this.add(text);
    this.settle(former.slice(first));
  }

  #getLocation(id: string): number {
    const at = this.#list.findIndex((message) => message.id === id);
    if (at < 0)
      throw notFound(`Message ${id} is not queued on this thread; it may have been read.`);
    return at;
  }

  /** Returns the next message; settle it once it is in the conversation. */
  take(): QueuedMessage | undefined {
    return this.#list.shift();
  }

  /** Takes all up to the first slash command, which runs later. */
  takeText(): readonly QueuedMessage[] {
    const command = this.#list.findIndex(({ text }) => text.trimStart().startsWith("/"));
    const used = this.#list.splice(0, command === -1 ? this.#list.length : command);
    for (const message of used) this.#used.add(message);
    return used;
  }

  settle(messages: readonly QueuedMessage[]): void {
    for (const message of messages) this.#used.delete(message);
    if (messages.length === 0) return;
    this.#record.append({ type: "unqueued", ids: messages.map(({ id }) => id) });
  }

  putBack(messages: readonly QueuedMessage[]): void {
    this.#list.unshift(...messages.filter((message) => this.#used.delete(message)));
  }

  drop(): number {
    const dropped = [...this.#used, ...this.#list.splice(0)];
    this.settle(dropped);
    return dropped.length;
  }
}
