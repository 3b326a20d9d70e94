import type { AgentEvent, ThreadHost } from "../../agent/index.ts";
import { isCairnError } from "../../shared/errors.ts";
import { encodeEvent, encodeMessage } from "./encode.ts";
import type { Outbox } from "./outbox.ts";

/**
 * A client that comes back subscribes right after connecting. Until then its events wait this long
 * (milliseconds), so that they follow the replay and are not sent twice.
 */
const ARRIVAL_HOLD = 200;
const MAX_HELD = 1_000;

/** The thread events that go to one client: live, or first what it missed. */
export class LiveFeed {
  readonly #host: ThreadHost;
  readonly #outbox: Outbox;
  readonly #timer: NodeJS.Timeout;
  #held: { readonly event: AgentEvent; readonly text: string }[] | undefined = [];
  /** Threads that were subscribed to: nothing of theirs is held any more. */
  readonly #subscribed = new Set<string>();
  readonly #replays = new Map<string, symbol>();

  constructor(host: ThreadHost, outbox: Outbox) {
    this.#host = host;
    this.#outbox = outbox;
    // After a busy moment, frames that have arrived already come before the end of the wait.
    this.#timer = setTimeout(() => setImmediate(() => this.release()), ARRIVAL_HOLD);
  }

  /** Takes one event, encoded once for all clients. */
  deliver(event: AgentEvent, text: string): void {
    if (this.#held !== undefined && !this.#subscribed.has(event.threadId)) {
      this.#held.push({ event, text });
      if (this.#held.length > MAX_HELD) this.release();
      return;
    }
    // The replay will come to this event; after a deletion there is nothing left to replay.
    if (this.#replays.has(event.threadId) && event.type !== "thread.deleted") return;
    this.#outbox.send(text);
  }

  release(): void {
    clearTimeout(this.#timer);
    const held = this.#held ?? [];
    this.#held = undefined;
    this.#subscribed.clear();
    for (const { event, text } of held) this.deliver(event, text);
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#held = undefined;
    this.#replays.clear();
  }

  /**
   * Starts sending what came after `sinceSeq`; live events of the thread follow it. Throws what the
   * host's `replay` throws.
   */
  subscribe(threadId: string, sinceSeq: number): void {
    const missed = this.#host.replay(threadId, sinceSeq);
    if (missed === undefined) {
      this.#replays.delete(threadId);
      this.#sendResync(threadId);
      return;
    }
    this.#held = this.#held?.filter(({ event }) => event.threadId !== threadId);
    this.#subscribed.add(threadId);
    const subscription = Symbol(threadId);
    this.#replays.set(threadId, subscription);
    const rest = this.#sendBurst(missed, sinceSeq);
    if (rest === undefined) this.#replays.delete(threadId);
    else void this.#continueReplay({ threadId, subscription, cursor: rest });
  }

  async #continueReplay(replay: Replay): Promise<void> {
    const { threadId, subscription } = replay;
    let cursor: number | undefined = replay.cursor;
    while (cursor !== undefined) {
      await this.#outbox.flushed();
      if (!this.#outbox.isOpen || this.#replays.get(threadId) !== subscription) return;
      const missed = this.#missedSince(threadId, cursor);
      if (missed === undefined) {
        this.#sendResync(threadId);
        break;
      }
      cursor = this.#sendBurst(missed, cursor);
    }
    this.#replays.delete(threadId);
  }

  /** Sends until the outbox fills. Returns where to go on, undefined when everything was sent. */
  #sendBurst(events: readonly AgentEvent[], sinceSeq: number): number | undefined {
    let cursor = sinceSeq;
    for (const event of events) {
      if (this.#outbox.isFilling) return cursor;
      this.#outbox.send(encodeEvent(event));
      cursor = event.seq;
    }
    return undefined;
  }

  #missedSince(threadId: string, cursor: number): readonly AgentEvent[] | undefined {
    try {
      return this.#host.replay(threadId, cursor);
    } catch (error) {
      // Deleted meanwhile: the client has been told by `thread.deleted`.
      const isDeleted = isCairnError(error) && error.code === "not_found";
      return isDeleted ? [] : undefined;
    }
  }

  #sendResync(threadId: string): void {
    this.#outbox.send(
      encodeMessage({
        type: "status",
        payload: {
          threadId,
          phase: "resync",
          message: "What was missed is no longer kept. Ask for thread.history and start afresh.",
        },
      }),
    );
  }
}

interface Replay {
  readonly threadId: string;
  readonly subscription: symbol;
  readonly cursor: number;
}
