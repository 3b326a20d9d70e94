import { WebSocket } from "ws";

const TOO_SLOW_CODE = 1013;

/** One client's outgoing queue. Disconnects slow clients to bound memory. */
export class Outbox {
  readonly #socket: WebSocket;
  readonly #limitBytes: number;
  /** Size of a message that alone exceeds the queue limit, in bytes. */
  #giantBytes = 0;

  constructor(socket: WebSocket, limitBytes: number) {
    this.#socket = socket;
    this.#limitBytes = limitBytes;
  }

  get isOpen(): boolean {
    return this.#socket.readyState === WebSocket.OPEN;
  }

  /** True at half of the limit, where bursts pause. */
  get isFilling(): boolean {
    return this.#socket.bufferedAmount > this.#limitBytes / 2;
  }

  send(text: string): void {
    if (!this.isOpen) return;
    const isGiant = this.#giantBytes === 0 && Buffer.byteLength(text) > this.#limitBytes;
    if (isGiant) this.#sendGiant(text);
    else this.#socket.send(text);
    if (this.#socket.bufferedAmount <= this.#limitBytes + this.#giantBytes) return;
    this.#socket.close(TOO_SLOW_CODE, "The client reads too slowly. Reconnect.");
  }

  #sendGiant(text: string): void {
    const before = this.#socket.bufferedAmount;
    this.#socket.send(text, () => {
      this.#giantBytes = 0;
    });
    this.#giantBytes = this.#socket.bufferedAmount - before;
  }

  /** Resolves once all queued messages are sent or the socket is closed. */
  flushed(): Promise<void> {
    return new Promise((resolve) => {
      if (!this.isOpen) return resolve();
      // Clients ignore an empty pong, the smallest frame.
      this.#socket.pong("", false, () => resolve());
    });
  }
}
