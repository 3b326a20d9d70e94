import type { WebSocket } from "ws";
import type { ThreadHost } from "../../agent/index.ts";
import type { Caller } from "../../shared/caller.ts";
import type { Logger } from "../../shared/logger.ts";
import { ClientSession, type SessionOptions } from "./client-session.ts";
import { encodeEvent } from "./encode.ts";
import type { UserServers } from "./message-handlers.ts";

export interface ClientsOptions {
  readonly host: ThreadHost;
  readonly outboundBytes: number;
  readonly logger: Logger;
  readonly servers: () => UserServers;
}

export interface Admission {
  readonly caller: Caller;
  isStillAuthorized(): Promise<boolean>;
}

const GOING_AWAY_CODE = 1001;
/** RFC 6455 "policy violation": authorization was revoked. */
const REVOKED_CODE = 1008;
/** Milliseconds between token checks. */
const TOKEN_CHECK_MS = 1_000;
/** Ping timeout in milliseconds. */
const HEARTBEAT_TIMEOUT_MS = 30_000;
/** Milliseconds for clients to acknowledge the close. */
const CLOSE_GRACE_MS = 500;

export class Clients {
  readonly #options: ClientsOptions;
  readonly #sessions = new Map<WebSocket, ClientSession>();
  readonly #silent = new WeakSet<WebSocket>();
  readonly #unsubscribe: () => void;
  readonly #heartbeat: NodeJS.Timeout;
  readonly #lookUp: NodeJS.Timeout;
  readonly #letIn = new Map<WebSocket, Admission>();

  constructor(options: ClientsOptions) {
    this.#options = options;
    this.#unsubscribe = options.host.subscribe((event) => {
      if (this.#sessions.size === 0) return;
      const text = encodeEvent(event);
      for (const session of this.#sessions.values()) session.deliver(event, text);
    });
    this.#heartbeat = setInterval(() => this.#findTheDead(), HEARTBEAT_TIMEOUT_MS);
    this.#heartbeat.unref();
    this.#lookUp = setInterval(() => this.#closeTheRevoked(), TOKEN_CHECK_MS);
    this.#lookUp.unref();
  }

  get count(): number {
    return this.#sessions.size;
  }

  add(socket: WebSocket, admission: Admission): void {
    const { logger } = this.#options;
    socket.on("error", (error) => logger.info(`A client violated the protocol: ${error.message}`));
    socket.on("pong", () => this.#silent.delete(socket));
    socket.on("close", () => {
      this.#sessions.delete(socket);
      this.#letIn.delete(socket);
    });
    this.#letIn.set(socket, admission);
    const { caller } = admission;
    const broadcast: SessionOptions["broadcast"] = (message) => {
      for (const session of this.#sessions.values()) session.send(message);
    };
    const session = new ClientSession({ ...this.#options, socket, caller, broadcast });
    this.#sessions.set(socket, session);
  }

  async close(): Promise<void> {
    clearInterval(this.#heartbeat);
    clearInterval(this.#lookUp);
    this.#unsubscribe();
    const sockets = [...this.#sessions.keys()];
    const closed = sockets.map((socket) => new Promise((resolve) => socket.once("close", resolve)));
    for (const session of this.#sessions.values()) {
      session.close(GOING_AWAY_CODE, "The server is stopping.");
    }
    const cutTimer = setTimeout(() => {
      for (const socket of sockets) socket.terminate();
    }, CLOSE_GRACE_MS);
    await Promise.all(closed);
    clearTimeout(cutTimer);
  }

  #closeTheRevoked(): void {
    for (const [socket, admission] of this.#letIn) {
      void admission.isStillAuthorized().then((isStill) => {
        if (!isStill) this.#sessions.get(socket)?.close(REVOKED_CODE, "No longer authorized.");
      });
    }
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
