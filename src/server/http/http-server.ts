import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { type AddressInfo, Server as NetServer, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { createSecureContext } from "node:tls";
import { getRequestListener } from "@hono/node-server";
import { CairnError, invalidInput, messageOf } from "../../shared/errors.ts";
import { isLoopback, urlHost } from "./authority.ts";
import { errorResponse } from "./error-response.ts";
import { rejectSocket } from "./reject-socket.ts";

export interface HttpServerOptions {
  readonly app: { readonly fetch: Parameters<typeof getRequestListener>[0] };
  readonly host: string;
  readonly port: number;
  /** If false, the server only accepts local connections. */
  readonly needsToken: boolean;
  readonly tokenCure?: string;
  /** PEM certificate and key; enables HTTPS. */
  readonly tls?: { readonly cert: string; readonly key: string } | undefined;
  readonly command: string;
  readonly portFlag?: string;
  /** Handles protocol upgrades; without it they get 400. */
  readonly onUpgrade?: (request: IncomingMessage, socket: Duplex, head: Buffer) => void;
  readonly announce?: (line: string) => void;
}

export interface HttpServer {
  readonly url: string;
  readonly port: number;
  /** Waits up to `graceMs` for running requests, then closes their connections. */
  close(graceMs?: number): Promise<void>;
}

/** Milliseconds. */
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 60_000;
const KEEP_ALIVE_TIMEOUT_MS = 5_000;
const TIMEOUT_CHECK_INTERVAL_MS = 2_000;
const TIMEOUTS = {
  headersTimeout: HEADERS_TIMEOUT_MS,
  requestTimeout: REQUEST_TIMEOUT_MS,
  keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
  connectionsCheckingInterval: TIMEOUT_CHECK_INTERVAL_MS,
};
const DRAIN_TIMEOUT_MS = 1_000;

/**
 * Resolves once connections are accepted and the ready line is printed. Throws invalid_input if a
 * publicly reachable address has no token, and unavailable if it cannot listen.
 */
export async function startHttpServer(options: HttpServerOptions): Promise<HttpServer> {
  requireTokenBeyondLoopback(options);
  const answer = getRequestListener(options.app.fetch, {
    // The adapter's own Response loses headers when middleware such as compression copies it.
    overrideGlobalObjects: false,
    errorHandler: () => errorResponse(invalidInput("The request line or Host is malformed.")),
  });
  const listener: RequestListener = (request, response) => {
    const { host } = request.headers;
    // Host names are case-insensitive, but the listener rejects capitals as malformed.
    if (host !== undefined) request.headers.host = host.toLowerCase();
    return answer(request, response);
  };
  const { tls } = options;
  const server =
    tls === undefined
      ? createServer(TIMEOUTS, listener)
      : createSecureServer({ ...TIMEOUTS, ...requireTls(tls) }, listener);
  server.on("clientError", answerBrokenRequest);
  server.on("upgrade", options.onUpgrade ?? rejectUpgrade);
  const sockets = new Set<Socket>();
  const trackSocket = (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  };
  server.on("connection", trackSocket);
  server.on("secureConnection", trackSocket);
  await listen(server, options);
  const { port } = server.address() as AddressInfo;
  const url = `${tls === undefined ? "http" : "https"}://${urlHost(options.host)}:${port}`;
  const announce = options.announce ?? ((line) => process.stderr.write(`${line}\n`));
  announce(`cairn ${options.command} listening on ${url}`);
  return { url, port, close: (graceMs = 2_000) => closeServer(server, sockets, graceMs) };
}

/** Throws invalid_input unless they are a matching certificate and key. */
function requireTls(tls: { readonly cert: string; readonly key: string }) {
  try {
    createSecureContext(tls);
  } catch (error) {
    throw invalidInput(
      `tlsCert, tlsKey: not a matching PEM certificate and key (${messageOf(error)})`,
    );
  }
  return tls;
}

function requireTokenBeyondLoopback(options: HttpServerOptions): void {
  const { host, needsToken, tokenCure = "set one with --token or CAIRN_TOKEN" } = options;
  if (isLoopback(host) || needsToken) return;
  throw invalidInput(
    `Other machines can reach ${host}, so a token is required: ${tokenCure}, or listen on 127.0.0.1.`,
  );
}

function listen(server: Server, options: HttpServerOptions): Promise<void> {
  const host = options.host.replace(/^\[|\]$/g, "");
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) =>
      reject(explainListenError(error, options)),
    );
    server.listen({ host, port: options.port, exclusive: true }, () => {
      server.removeAllListeners("error");
      resolve();
    });
  });
}

function explainListenError(error: NodeJS.ErrnoException, options: HttpServerOptions): CairnError {
  const { host, port, portFlag = "--port" } = options;
  const messages: Readonly<Record<string, string>> = {
    EADDRINUSE: `Port ${port} on ${host} is in use. Stop the program that uses it or choose another: ${portFlag} <port>, 0 for any free one.`,
    EACCES: `Permission denied for port ${port}. Choose one above 1023: ${portFlag} <port>.`,
    EADDRNOTAVAIL: `${host} is not an address of this machine.`,
    ENOTFOUND: `${host} is not a known name or address.`,
  };
  const reason = messages[error.code ?? ""] ?? `Cannot listen on ${host}:${port}: ${error.message}`;
  return new CairnError("unavailable", reason, undefined, { cause: error });
}

function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const isSlow = error.code === "ERR_HTTP_REQUEST_TIMEOUT";
  const isLong = error.code === "HPE_HEADER_OVERFLOW";
  const status = isSlow ? 408 : isLong ? 431 : 400;
  rejectSocket(socket, invalidInput("The request is not valid HTTP or took too long."), status);
}

function rejectUpgrade(_request: IncomingMessage, socket: Duplex): void {
  rejectSocket(socket, invalidInput("This server supports HTTP/1.1 only."));
}

/**
 * Stops accepting connections and finishes pending requests. `sockets` are upgraded connections,
 * which the server no longer tracks.
 */
async function closeServer(server: Server, sockets: ReadonlySet<Socket>, graceMs: number) {
  const closed = new Promise<void>((resolve) => {
    NetServer.prototype.close.call(server, () => resolve());
  });
  server.prependListener("request", (_request, response) => {
    response.shouldKeepAlive = false;
  });
  const lastRequests = Math.min(DRAIN_TIMEOUT_MS, graceMs);
  let idle: NodeJS.Timeout | undefined;
  const drained = setTimeout(() => {
    server.closeIdleConnections();
    // Closes connections that become idle after the call.
    idle = setInterval(() => server.closeIdleConnections(), 50);
  }, lastRequests);
  const cutTimer = setTimeout(() => {
    for (const socket of sockets) socket.destroy();
  }, graceMs);
  await closed;
  clearTimeout(drained);
  clearInterval(idle);
  clearTimeout(cutTimer);
  // Also stops the server's slow-request checks.
  server.close();
}
