import { once } from "node:events";
import { type ClientOptions, WebSocket } from "ws";

export interface ReceivedMessage {
  readonly type: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read payloads of every type
  readonly payload: any;
}

export class UiClient {
  readonly received: ReceivedMessage[] = [];
  readonly socket: WebSocket;
  readonly closed: Promise<number>;
  closeReason = "";
  readonly #waiting = new Set<() => void>();

  private constructor(socket: WebSocket) {
    this.socket = socket;
    socket.on("message", (data) => {
      this.received.push(JSON.parse(String(data)) as ReceivedMessage);
      for (const check of [...this.#waiting]) check();
    });
    socket.on("error", () => undefined);
    this.closed = new Promise((resolve) =>
      socket.on("close", (code, reason) => {
        this.closeReason = String(reason);
        resolve(code);
      }),
    );
  }

  static async connect(url: string, options: ClientOptions = {}, path = "/ws"): Promise<UiClient> {
    const socket = new WebSocket(url.replace(/^http/, "ws") + path, options);
    const client = new UiClient(socket);
    await once(socket, "open");
    return client;
  }

  send(type: string, payload?: unknown): void {
    this.socket.send(JSON.stringify(payload === undefined ? { type } : { type, payload }));
  }

  sendRaw(data: string | Buffer): void {
    this.socket.send(data);
  }

  async waitFor(
    condition: (message: ReceivedMessage) => boolean,
    { from = 0, timeoutMs = 30_000 }: { from?: number; timeoutMs?: number } = {},
  ): Promise<ReceivedMessage> {
    return new Promise((resolve, reject) => {
      const stop = () => {
        clearTimeout(timer);
        this.#waiting.delete(check);
      };
      const check = () => {
        const found = this.received.slice(from).find(condition);
        if (found === undefined) return;
        stop();
        resolve(found);
      };
      const timer = setTimeout(() => {
        stop();
        const seen = this.received
          .slice(-20)
          .map((message) => JSON.stringify(message).slice(0, 200));
        reject(new Error(`The awaited message did not come. Last ones:\n${seen.join("\n")}`));
      }, timeoutMs);
      this.#waiting.add(check);
      check();
    });
  }

  waitForType(type: string, options?: { from?: number }): Promise<ReceivedMessage> {
    return this.waitFor((message) => message.type === type, options);
  }

  waitForPhase(
    threadId: string,
    phase: string,
    options?: { from?: number },
  ): Promise<ReceivedMessage> {
    return this.waitFor(
      ({ type, payload }) =>
        type === "status" && payload.phase === phase && payload.threadId === threadId,
      options,
    );
  }

  /** Resolves when the server has processed all earlier messages. */
  async settle(): Promise<void> {
    const from = this.received.length;
    this.send("session.start");
    await this.waitForType("session.ready", { from });
  }

  seqs(threadId: string): number[] {
    return this.received.flatMap(({ payload }) =>
      payload.threadId === threadId && payload.seq !== undefined ? [payload.seq as number] : [],
    );
  }

  async close(): Promise<void> {
    this.socket.close();
    await this.closed;
  }
}
