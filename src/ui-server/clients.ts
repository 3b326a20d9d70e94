import type { WebSocket } from "ws";
import type { ThreadHost } from "../agent/index.ts";
import type { Logger } from "../kernel/logger.ts";
import { ClientSession } from "./client-session.ts";
import { encodeEvent } from "./encode.ts";
import type { ServersOfUser } from "./message-handlers.ts";

export interface ClientsOptions {
  readonly host: ThreadHost;
  readonly outboundBytes: number;
  readonly logger: Logger;
  readonly servers: () => ServersOfUser;
}

const CLOSE_GOING_AWAY = 1001;
/** A client that answers no ping for this long is gone; milliseconds. */
const HEARTBEAT = 30_000;
/** Time for clients to answer the close; milliseconds. */
const CLOSE_GRACE = 500;

/** Everybody who is connected. Events of all threads go to all of them. */
export class Clients {
  readonly #options: ClientsOptions;
  readonly #sessions = new Map<WebSocket, ClientSession>();
  readonly #silent = new WeakSet<WebSocket>();
  readonly #unsubscribe: () => void;
  readonly #heartbeat: NodeJS.Timeout;

  constructor(options: ClientsOptions) {
    this.#options = options;
    this.#unsubscribe = options.host.subscribe((event) => {
      if (this.#sessions.size === 0) return;
      const text = encodeEvent(event);
      for (const session of this.#sessions.values()) session.deliver(event, text);
    });
    this.#heartbeat = setInterval(() => this.#findTheDead(), HEARTBEAT);
    this.#heartbeat.unref();
  }

  get count(): number {
    return this.#sessions.size;
  }

  add(socket: WebSocket): void {
    const { logger } = this.#options;
    // A frame that is too long or malformed: ws closes the socket with the code that says so.
    socket.on("error", (error) => logger.info(`A client broke the protocol: ${error.message}`));
    socket.on("pong", () => this.#silent.delete(socket));
    socket.on("close", () => this.#sessions.delete(socket));
    this.#sessions.set(socket, new ClientSession({ ...this.#options, socket }));
  }

  /** Closes every socket with 1001 and cuts those that do not answer. */
  async close(): Promise<void> {
    clearInterval(this.#heartbeat);
    this.#unsubscribe();
    const sockets = [...this.#sessions.keys()];
    const closed = sockets.map((socket) => new Promise((resolve) => socket.once("close", resolve)));
    for (const session of this.#sessions.values()) {
      session.close(CLOSE_GOING_AWAY, "The server is stopping.");
    }
    const cut = setTimeout(() => {
      for (const socket of sockets) socket.terminate();
    }, CLOSE_GRACE);
    await Promise.all(closed);
    clearTimeout(cut);
  }

  #findTheDead(): void {
    for (const socket of this.#sessions.keys()) {
      if (this.#silent.has(socket)) socket.terminate();
      else {
        this.#silent.add(socket);
        socket.ping();
      }
    }
  }
}
