import { WebSocket } from "ws";

const CLOSE_TOO_SLOW = 1013;

/** Outgoing queue of one client. A client that reads too slowly is disconnected to bound memory. */
export class Outbox {
  readonly #socket: WebSocket;
  readonly #limitBytes: number;
  /** Size of the message under way that alone is more than may wait; bytes. */
  #giantBytes = 0;

  constructor(socket: WebSocket, limitBytes: number) {
    this.#socket = socket;
    this.#limitBytes = limitBytes;
  }

  get isOpen(): boolean {
    return this.#socket.readyState === WebSocket.OPEN;
  }

  /** True at half of a slow client's limit, where a burst pauses. */
  get isFilling(): boolean {
    return this.#socket.bufferedAmount > this.#limitBytes / 2;
  }

  send(text: string): void {
    if (!this.isOpen) return;
    const isGiant = this.#giantBytes === 0 && Buffer.byteLength(text) > this.#limitBytes;
    if (isGiant) this.#sendGiant(text);
    else this.#socket.send(text);
    if (this.#socket.bufferedAmount <= this.#limitBytes + this.#giantBytes) return;
    this.#socket.close(CLOSE_TOO_SLOW, "The client reads too slowly. Connect again.");
  }

  #sendGiant(text: string): void {
    const before = this.#socket.bufferedAmount;
    this.#socket.send(text, () => {
      this.#giantBytes = 0;
    });
    this.#giantBytes = this.#socket.bufferedAmount - before;
  }

  /** Resolves once everything that was sent so far is on its way, or the socket is closed. */
  flushed(): Promise<void> {
    return new Promise((resolve) => {
      if (!this.isOpen) return resolve();
      // An empty pong is the smallest frame that clients never notice.
      this.#socket.pong("", false, () => resolve());
    });
  }
}
