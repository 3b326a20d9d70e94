import { isCairnError, messageOf } from "../../shared/errors.ts";
import type { Logger } from "../../shared/logger.ts";
import type { AgentEventBody } from "../ports/events.ts";
import type { SlashCommandContext } from "../ports/slash-command.ts";
import type { Conversation } from "./conversation.ts";
import type { MessageHandler } from "./message-handler.ts";
import type { MessageQueue } from "./message-queue.ts";
import type { ThreadRecord } from "./thread-record.ts";
import type { QueuedMessage } from "./transcript.ts";

/** One message being worked on: a run or a slash command with its runs. */
interface Activity {
  readonly abort: AbortController;
  /** The clients were told `aborted` and `idle`. */
  announced: boolean;
  /** Name of the slash command at work. */
  command?: string;
}

/** With an id when it waited in the queue. */
export type Message = {
  readonly text: string;
  readonly id?: string;
  /** A client asked for it by a message of its own, so what only terminals type runs, too. */
  readonly isBidden?: boolean;
  /** Runs instead of what the text says. */
  readonly run?: (context: SlashCommandContext) => Promise<void>;
};

export interface ThreadWorkOptions {
  readonly record: ThreadRecord;
  readonly conversation: Conversation;
  readonly queue: MessageQueue;
  readonly handler: MessageHandler;
  readonly emit: (event: AgentEventBody) => void;
  readonly logger: Logger;
}

/** Works through the messages of a thread, one at a time, until none waits. */
export class ThreadWork {
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

  /** Name of the slash command at work. */
  get command(): string | undefined {
    return this.#activity?.command;
  }

  /** The messages that wait stay where they are from now on. */
  end(): void {
    this.#ended = true;
  }

  get hasEnded(): boolean {
    return this.#ended;
  }

  /** Resolves when no message is being worked on. */
  get settled(): Promise<void> {
    return this.#settled;
  }

  /** The message and what is queued meanwhile; only where nothing is at work. */
  start(message: Message): void {
    this.#settled = this.#workThrough(message);
  }

  /** Aborts the message at work; where none is, ends the processes that earlier ones left. */
  cancel(): void {
    if (this.#activity === undefined) void this.#options.conversation.processes.killAll();
    else this.#activity.abort.abort(new DOMException("The run was cancelled.", "AbortError"));
  }

  /** The message and what is queued meanwhile, one after the other. Never rejects. */
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

  /** Handles one message. Never rejects. */
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
