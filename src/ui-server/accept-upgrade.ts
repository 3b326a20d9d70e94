import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { WebSocketServer } from "ws";
import { factsOf, type RequestGuard, refuseSocket } from "../http/index.ts";
import { CairnError, invalidInput, isCairnError, notFound } from "../kernel/errors.ts";
import type { Clients } from "./clients.ts";

export interface UpgradeOptions {
  readonly guard: RequestGuard;
  readonly clients: Clients;
  /** Largest message of a client, bytes; a larger one closes its socket with 1009. */
  readonly frameBytes: number;
  readonly maxClients: number;
  readonly isStopping: () => boolean;
}

export const SOCKET_PATH = "/ws";

/**
 * Turns connections into clients, or refuses them in the error shape. The target is compared as it
 * came, never parsed as a URL: there are targets, such as `//`, on which a URL parser throws.
 */
export function createUpgradeListener(options: UpgradeOptions) {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: options.frameBytes });
  return (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    try {
      admit(request, options);
      sockets.handleUpgrade(request, socket, head, (client) => options.clients.add(client));
    } catch (error) {
      refuseSocket(socket, isCairnError(error) ? error : invalidInput("The upgrade is malformed."));
    }
  };
}

function admit(request: IncomingMessage, options: UpgradeOptions): void {
  const [path = "", query = ""] = (request.url ?? "").split("?", 2);
  const queryToken = new URLSearchParams(query).get("token") ?? undefined;
  options.guard.check({ ...factsOf(request), queryToken });
  if (path !== SOCKET_PATH) throw notFound(`WebSockets are accepted at ${SOCKET_PATH} only.`);
  if (request.headers.upgrade?.toLowerCase() !== "websocket") {
    throw invalidInput("This path speaks WebSocket only.");
  }
  if (options.isStopping()) throw new CairnError("unavailable", "The server is stopping.");
  if (options.clients.count >= options.maxClients) {
    throw new CairnError("busy", `There are ${options.maxClients} clients already. Close one.`);
  }
}
