import { messageOf } from "../../shared/errors.ts";
import type { SessionPort } from "./session-port.ts";

export class Mailbox {
  readonly #session: SessionPort;
  /** Sent before the host was there. */
  readonly #outbox: string[] = [];
  /** On their way to the host. */
  #sending = 0;

  constructor(session: SessionPort) {
    this.#session = session;
  }

  get unsent(): readonly string[] {
    return this.#outbox;
  }

  async send(text: string): Promise<void> {
    const { connection, screen } = this.#session;
    if (connection === undefined) {
      this.#outbox.push(text);
      this.#session.dispatch({ type: "sent", text, queued: true });
      return;
    }
    const threadId = await this.#ensureThread();
    const queued = screen.run !== undefined && screen.prompt === undefined;
    this.#session.dispatch({ type: "sent", text, queued });
    await this.#deliver(threadId, text);
  }

  /** Sends what was held; `runLocally` may take a text for itself. */
  async flush(runLocally: (text: string) => Promise<boolean>): Promise<void> {
    for (let text = this.#outbox.shift(); text !== undefined; text = this.#outbox.shift()) {
      this.#session.dispatch({ type: "queue", waiting: this.#outbox.length });
      if (!(await runLocally(text))) await this.#deliver(await this.#ensureThread(), text);
    }
  }

  /** Gives everything held back to the input. */
  returnToSender(): void {
    this.#session.giveBack(this.#outbox.splice(0));
  }

  /** Compares the queue on screen with the thread's. */
  sync(): void {
    const { connection, screen } = this.#session;
    if (screen.queue.length === 0) return;
    const info = connection?.host.list().find((thread) => thread.threadId === screen.threadId);
    const waiting = (info?.queued ?? 0) + this.#sending + this.#outbox.length;
    this.#session.dispatch({ type: "queue", waiting });
  }

  async #deliver(threadId: string, text: string): Promise<void> {
    const session = this.#session;
    this.#sending += 1;
    try {
      await session.connection?.host.send(threadId, text);
    } catch (error) {
      session.note("error", messageOf(error));
      if (session.screen.queue.includes(text)) session.dispatch({ type: "unsend" });
      else session.giveBack([text]);
    } finally {
      this.#sending -= 1;
    }
    this.sync();
  }

  /** A thread is made for the first message, so that a start without one leaves nothing behind. */
  async #ensureThread(): Promise<string> {
    const { connection, screen } = this.#session;
    if (screen.threadId !== undefined) return screen.threadId;
    const created = await connection?.host.create();
    const threadId = created?.threadId ?? "";
    this.#session.dispatch({ type: "thread", threadId });
    return threadId;
  }
}
