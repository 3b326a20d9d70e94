import { createServer, type IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { createNodeWebSocket } from "@hono/node-ws";
import { Hono } from "hono";
import type { WebSocket } from "ws";
import type { Caller } from "../../shared/caller.ts";
import {
  CairnError,
  invalidInput,
  isCairnError,
  messageOf,
  notFound,
} from "../../shared/errors.ts";
import type { Logger } from "../../shared/logger.ts";
import {
  authorizeRequest,
  HTTP_STATUS,
  type OnUpgradeResponse,
  type RequestGuard,
  readRequestFacts,
  rejectSocket,
} from "../http/index.ts";
import type { Admission, Clients } from "./clients.ts";

export interface UpgradeOptions {
  readonly guard: RequestGuard;
  readonly clients: Clients;
  readonly logger: Logger;
  /** Maximum message size in bytes; larger ones close the socket with 1009. */
  readonly frameBytes: number;
  readonly maxClients: number;
  readonly isStopping: () => boolean;
  readonly onAnswer?: OnUpgradeResponse | undefined;
}

export const SOCKET_PATH = "/ws";
const SWITCHING_PROTOCOLS = 101;

/**
 * RFC 6455, section 4.1: 16 bytes in base64. Checked here because a failed handshake leaks memory
 * in `ws`.
 */
const HANDSHAKE_KEY = /^[+/0-9A-Za-z]{22}==$/;

type Admitted = WeakMap<IncomingMessage, Admission>;

type UpgradeListener = (request: IncomingMessage, socket: Duplex, head: Buffer) => unknown;

/**
 * Accepts or rejects upgrades. Compares the raw target before parsing, because URL parsing throws
 * for targets such as `//`.
 */
export function createUpgradeListener(options: UpgradeOptions) {
  const admitted: Admitted = new WeakMap();
  const upgrade = nodeWebSocketListener(options, admitted);
  return (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    admitAndRecord(request, options)
      .then((admission) => {
        admitted.set(request, admission);
        return upgrade(request, socket, head);
      })
      .catch((error: unknown) => rejectSocket(socket, toRefusal(error)));
  };
}

function toRefusal(error: unknown): CairnError {
  return isCairnError(error) ? error : invalidInput("The upgrade is malformed.");
}

/** Throws the errors of `admit` and of its observer. */
async function admitAndRecord(
  request: IncomingMessage,
  options: UpgradeOptions,
): Promise<Admission> {
  let known: Caller | undefined;
  const note = async (status: number) => {
    const route = requestPath(request) === SOCKET_PATH ? SOCKET_PATH : "none";
    await options.onAnswer?.({ route, status, known });
  };
  let admission: Admission;
  try {
    admission = await admitClient(request, options, (caller) => {
      known = caller;
    });
  } catch (error) {
    await note(HTTP_STATUS[toRefusal(error).code]);
    throw error;
  }
  await note(SWITCHING_PROTOCOLS);
  return admission;
}

function requestPath({ url = "" }: IncomingMessage): string {
  return url.split("?", 1)[0] ?? "";
}

/**
 * Adapts the @hono/node-ws listener, called after the guard. Takes clients from `wss` synchronously
 * so that no frame arrives without a listener.
 */
function nodeWebSocketListener(
  { clients, frameBytes, logger }: UpgradeOptions,
  admitted: Admitted,
): UpgradeListener {
  const app = new Hono();
  const { wss, injectWebSocket, upgradeWebSocket } = createNodeWebSocket({ app });
  const onError = (error: unknown) => logger.info(`A client's socket failed: ${messageOf(error)}`);
  app.get(
    SOCKET_PATH,
    upgradeWebSocket(() => ({}), { onError }),
  );
  wss.options.maxPayload = frameBytes;
  wss.on("connection", (socket: WebSocket, request: IncomingMessage) => {
    const admission = admitted.get(request);
    if (admission === undefined) socket.terminate();
    else clients.add(socket, admission);
  });
  // Never listens; it only receives the adapter's handlers.
  const server = createServer();
  injectWebSocket(server);
  const [listener] = server.listeners("upgrade") as UpgradeListener[];
  if (listener === undefined) throw new Error("@hono/node-ws listens for no upgrade.");
  return listener;
}

async function admitClient(
  request: IncomingMessage,
  options: UpgradeOptions,
  onKnown: (caller: Caller) => void,
): Promise<Admission> {
  const [path = "", query = ""] = (request.url ?? "").split("?", 2);
  const queryToken = new URLSearchParams(query).get("token") ?? undefined;
  const facts = { ...readRequestFacts(request), queryToken };
  const caller = await options.guard.check(facts, "approve", onKnown);
  if (path !== SOCKET_PATH) throw notFound(`WebSockets are only available at ${SOCKET_PATH}.`);
  if (request.headers.upgrade?.toLowerCase() !== "websocket") {
    throw invalidInput("This path only accepts WebSocket connections.");
  }
  if (!HANDSHAKE_KEY.test(request.headers["sec-websocket-key"] ?? "")) {
    throw invalidInput("Sec-WebSocket-Key is missing or malformed.");
  }
  if (options.isStopping()) throw new CairnError("unavailable", "The server is stopping.");
  if (options.clients.count >= options.maxClients) {
    throw new CairnError(
      "busy",
      `The limit of ${options.maxClients} clients is reached. Close one.`,
    );
  }
  return {
    caller,
    isStillAuthorized: () => authorizeRequest(() => options.guard.check(facts, "approve"), caller),
  };
}
