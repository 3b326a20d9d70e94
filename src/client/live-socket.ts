import type { ClientMessageToSend, ServerMessage } from "../server/ui/index.ts";

const RETRY_MS = 500;
const MAX_RETRY_MS = 8_000;

export interface LiveSocketOptions {
  readonly address: URL;
  onMessage(message: ServerMessage): void;
  onOpen(): void;
  /** Reconnects automatically. `wasOpen` is false if the connection failed. */
  onLost?(wasOpen: boolean): void;
}

export class LiveSocket {
  readonly #options: LiveSocketOptions;
  #socket: WebSocket | undefined;
  #retry = RETRY_MS;
  #isClosed = false;

  constructor(options: LiveSocketOptions) {
    this.#options = options;
    this.#connect();
  }

  /** Returns false if disconnected, and nothing was sent. */
  send(message: ClientMessageToSend): boolean {
    if (this.#socket?.readyState !== WebSocket.OPEN) return false;
    this.#socket.send(JSON.stringify(message));
    return true;
  }

  close(): void {
    this.#isClosed = true;
    this.#socket?.close();
  }

  #connect(): void {
    const { address, onMessage, onOpen } = this.#options;
    const socket = new WebSocket(address);
    let wasOpen = false;
    this.#socket = socket;
    socket.onopen = () => {
      wasOpen = true;
      this.#retry = RETRY_MS;
      onOpen();
    };
    socket.onmessage = ({ data }) => onMessage(JSON.parse(String(data)) as ServerMessage);
    socket.onclose = () => this.#lose(wasOpen);
  }

  #lose(wasOpen: boolean): void {
    this.#options.onLost?.(wasOpen);
    if (this.#isClosed) return;
    setTimeout(() => {
      if (!this.#isClosed) this.#connect();
    }, this.#retry);
    this.#retry = Math.min(this.#retry * 2, MAX_RETRY_MS);
  }
}
