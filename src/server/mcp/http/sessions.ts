import { randomUUID } from "node:crypto";
import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import {
  type EventStore,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import {
  isJSONRPCRequest,
  type JSONRPCMessage,
  type RequestId,
} from "@modelcontextprotocol/sdk/types.js";
import { type Caller, isSameCaller } from "../../../shared/caller.ts";
import { CairnError } from "../../../shared/errors.ts";
import { createCancelledResponse, readCancelledId } from "../rpc-error.ts";

interface StoredMessage {
  readonly id: number;
  readonly streamId: string;
  readonly message: JSONRPCMessage;
  readonly bytes: number;
}

const MAX_MESSAGES = 1_000;
const MAX_BYTES = 4 * 1024 * 1024;

class RecentMessages implements EventStore {
  readonly #messages: StoredMessage[] = [];
  #lastId = 0;
  #bytes = 0;

  async storeEvent(streamId: string, message: JSONRPCMessage): Promise<string> {
    this.#lastId += 1;
    const bytes = JSON.stringify(message).length;
    this.#messages.push({ id: this.#lastId, streamId, message, bytes });
    this.#bytes += bytes;
    this.#forgetOldest();
    return String(this.#lastId);
  }

  async getStreamIdForEventId(eventId: string): Promise<string | undefined> {
    return this.#messages.find(({ id }) => String(id) === eventId)?.streamId;
  }

  async replayEventsAfter(
    lastEventId: string,
    { send }: { send: (eventId: string, message: JSONRPCMessage) => Promise<void> },
  ): Promise<string> {
    const last = this.#messages.find(({ id }) => String(id) === lastEventId);
    if (last === undefined) throw new Error("The message is no longer available.");
    for (const { id, streamId, message } of [...this.#messages]) {
      const isPriming = Object.keys(message).length === 0;
      if (id > last.id && streamId === last.streamId && !isPriming) await send(String(id), message);
    }
    return last.streamId;
  }

  #forgetOldest(): void {
    while (this.#messages.length > MAX_MESSAGES || this.#bytes > MAX_BYTES) {
      const oldest = this.#messages.shift();
      if (oldest === undefined) return;
      this.#bytes -= oldest.bytes;
    }
  }
}

/**
 * Answers requests that the client cancels. The SDK sends no response to them, so their HTTP
 * response would stay open. Returns the ids of the requests without a response.
 */
function answerCancelled(transport: WebStandardStreamableHTTPServerTransport): Set<RequestId> {
  const pending = new Set<RequestId>();
  const { onmessage } = transport;
  const send = transport.send.bind(transport);
  transport.send = (message, options) => {
    if ("id" in message && !("method" in message) && message.id !== undefined) {
      pending.delete(message.id);
    }
    return send(message, options);
  };
  transport.onmessage = (message, extra) => {
    if (isJSONRPCRequest(message)) pending.add(message.id);
    onmessage?.(message, extra);
    const id = readCancelledId(message);
    if (id === undefined) return;
    // The SDK cancels the request after this turn of the event loop.
    setImmediate(() => {
      if (!pending.has(id)) return;
      transport
        .send(createCancelledResponse(id))
        .catch((failure: unknown) => transport.onerror?.(failure as Error));
    });
  };
  return pending;
}

export interface SessionLimits {
  readonly maxSessions: number;
  /** Idle milliseconds after which a session is closed. */
  readonly idleMs: number;
}

export const SESSION_LIMITS: SessionLimits = { maxSessions: 256, idleMs: 30 * 60_000 };

export interface McpSession {
  readonly id: string;
  /** Query parameters of the URL that opened the session. */
  readonly choices: string;
  /** The caller who opened it; hidden from others. */
  readonly caller: Caller;
  readonly server: Server;
  readonly transport: WebStandardStreamableHTTPServerTransport;
  /** Ids of requests without a response. */
  readonly pending: ReadonlySet<RequestId>;
  /** Rechecks the newest request's caller, since clients may renew their token. */
  isStillAuthorized: () => Promise<boolean>;
  lastUsed: number;
  /** Number of open requests and streams. */
  open: number;
}

const SWEEP_MS = 60_000;
/** Longest time in milliseconds that a revoked caller's session stays open. */
const RECHECK_MS = 15_000;

/** Sessions of one server process, bounded in number and idle time. */
export class McpSessions {
  readonly #limits: SessionLimits;
  readonly #sessions = new Map<string, McpSession>();
  readonly #sweep: NodeJS.Timeout;
  readonly #looking: NodeJS.Timeout;

  constructor(limits: SessionLimits = SESSION_LIMITS) {
    this.#limits = limits;
    this.#sweep = setInterval(() => this.closeIdle(), Math.min(SWEEP_MS, limits.idleMs));
    this.#sweep.unref();
    this.#looking = setInterval(() => void this.closeRefused(), RECHECK_MS);
    this.#looking.unref();
  }

  get count(): number {
    return this.#sessions.size;
  }

  has(id: string, caller: Caller): boolean {
    return this.get(id, caller) !== undefined;
  }

  get(id: string, caller: Caller): McpSession | undefined {
    const session = this.#sessions.get(id);
    return session !== undefined && isSameCaller(session.caller, caller) ? session : undefined;
  }

  /** Evicts the longest-idle session if needed; throws busy if all are in use. */
  async create(parts: {
    choices: string;
    caller: Caller;
    bodyBytes: number;
    isStillAuthorized: () => Promise<boolean>;
    createServer: (sessionId: string) => Server;
  }): Promise<McpSession> {
    if (this.#sessions.size >= this.#limits.maxSessions) await this.#closeIdlest();
    const id = randomUUID();
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => id,
      eventStore: new RecentMessages(),
      maxRequestBodySize: parts.bodyBytes,
      retryInterval: 1_000,
    });
    const server = parts.createServer(id);
    // Set before `connect`, which keeps an existing handler.
    transport.onclose = () => this.#sessions.delete(id);
    await server.connect(transport);
    const session = {
      id,
      choices: parts.choices,
      caller: parts.caller,
      server,
      transport,
      pending: answerCancelled(transport),
      isStillAuthorized: parts.isStillAuthorized,
      lastUsed: Date.now(),
      open: 0,
    };
    this.#sessions.set(id, session);
    return session;
  }

  /** Counts an open request or stream until client or server ends it. */
  hold(session: McpSession, signal: AbortSignal): () => void {
    session.open += 1;
    session.lastUsed = Date.now();
    let isStored = true;
    const release = () => {
      if (!isStored) return;
      isStored = false;
      session.open -= 1;
      session.lastUsed = Date.now();
    };
    signal.addEventListener("abort", release, { once: true });
    return release;
  }

  closeIdle(now = Date.now()): void {
    for (const session of [...this.#sessions.values()]) {
      const isIdle = session.open === 0 && now - session.lastUsed >= this.#limits.idleMs;
      if (isIdle) void session.server.close();
    }
  }

  async closeRefused(): Promise<void> {
    for (const session of [...this.#sessions.values()]) {
      if (!(await session.isStillAuthorized())) await session.server.close();
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#sweep);
    clearInterval(this.#looking);
    await Promise.all(Array.from(this.#sessions.values(), ({ server }) => server.close()));
  }

  async #closeIdlest(): Promise<void> {
    const idle = [...this.#sessions.values()].filter((session) => session.open === 0);
    const [idlest] = idle.sort((a, b) => a.lastUsed - b.lastUsed);
    if (idlest === undefined) {
      throw new CairnError("busy", "Too many MCP sessions are open. Close one and try again.");
    }
    await idlest.server.close();
  }
}
