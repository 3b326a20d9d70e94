import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import type { Hono } from "hono";
import type { ThreadHost } from "../../agent/index.ts";
import { invalidInput } from "../../shared/errors.ts";
import type { Logger } from "../../shared/logger.ts";
import {
  createGuardedApp,
  createRequestGuard,
  errorResponse,
  type HttpEnv,
  type HttpSettings,
  type OnUpgradeResponse,
  type RequestGuard,
  startHttpServer,
  type TokenHolders,
  TRANSFER_LIMITS,
  type TransferLimits,
} from "../http/index.ts";
import { createUpgradeListener, SOCKET_PATH } from "./accept-upgrade.ts";
import { clientThreads } from "./client-threads.ts";
import { Clients } from "./clients.ts";
import type { UserServers } from "./message-handlers.ts";
import { PROTOCOL_VERSION } from "./server-messages.ts";

const MAX_CLIENTS = 256;

export interface AgentGatewayOptions {
  readonly host: ThreadHost;
  readonly guard: RequestGuard;
  readonly limits: Pick<TransferLimits, "frameBytes" | "outboundBytes">;
  /** Default: 256. */
  readonly maxClients?: number | undefined;
  readonly logger: Logger;
  readonly servers?: () => UserServers;
  readonly onUpgradeAnswer?: OnUpgradeResponse | undefined;
}

export interface AgentInfo {
  readonly protocolVersion: number;
  readonly cwd: string;
  readonly threadCount: number;
}

export interface AgentGateway {
  readonly onUpgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => void;
  addSocketRoute(app: Hono<HttpEnv>): void;
  facts(): AgentInfo;
  /**
   * Rejects new clients, runs `finish` while clients still receive events, then closes sockets with
   * 1001.
   */
  close(finish?: () => Promise<void>): Promise<void>;
}

/** Creates the agent's WebSocket endpoint; the server calls `onUpgrade`. */
export function openAgentGateway(options: AgentGatewayOptions): AgentGateway {
  const { host, guard, limits, logger, servers = () => [] } = options;
  const { maxClients = MAX_CLIENTS } = options;
  const { outboundBytes } = limits;
  const clients = new Clients({ host, logger, servers, outboundBytes });
  let isStopping = false;
  return {
    onUpgrade: createUpgradeListener({
      guard,
      clients,
      logger,
      frameBytes: limits.frameBytes,
      maxClients,
      isStopping: () => isStopping,
      onAnswer: options.onUpgradeAnswer,
    }),
    addSocketRoute(app) {
      app.get(SOCKET_PATH, () => {
        const refusal = errorResponse(
          invalidInput(`${SOCKET_PATH} is a WebSocket: connect with ws://.`),
        );
        const headers = { ...Object.fromEntries(refusal.headers), upgrade: "websocket" };
        return new Response(refusal.body, { status: 426, headers });
      });
    },
    facts: () => ({
      protocolVersion: PROTOCOL_VERSION,
      cwd: host.info.cwd,
      threadCount: clientThreads(host).length,
    }),
    async close(finish) {
      isStopping = true;
      try {
        await finish?.();
      } finally {
        await clients.close();
      }
    },
  };
}

interface UiServerOptions {
  readonly host: ThreadHost;
  readonly settings: UiServerSettings;
  readonly logger: Logger;
  readonly holders?: TokenHolders;
  readonly announce?: (line: string) => void;
  readonly servers?: AgentGatewayOptions["servers"];
  readonly limits?: Partial<TransferLimits>;
  readonly maxClients?: number;
}

type UiServerSettings = Pick<
  HttpSettings,
  "uiHost" | "uiPort" | "token" | "allowHost" | "allowOrigin"
>;

export interface UiServer {
  readonly url: string;
  readonly port: number;
  close(finish?: () => Promise<void>): Promise<void>;
}

export async function startUiServer(options: UiServerOptions): Promise<UiServer> {
  const { host, settings, logger, announce, holders } = options;
  const { uiHost, uiPort, token } = settings;
  const limits = { ...TRANSFER_LIMITS, ...options.limits };
  const { bodyBytes } = limits;
  const guard = createRequestGuard({ ...settings, host: uiHost, token, holders });
  const { servers } = options;
  const gateway = openAgentGateway({
    ...{ host, guard, limits, logger, maxClients: options.maxClients },
    ...(servers !== undefined && { servers }),
  });
  const app = createGuardedApp({
    ...{ guard, logger, bodyBytes },
    neededFor: () => "approve",
  });
  app.get("/", (c) =>
    c.text(`cairn ui-server, protocol version ${PROTOCOL_VERSION}. Connect to ${SOCKET_PATH}.\n`),
  );
  app.get("/health", (c) => c.json({ ok: true, ...gateway.facts() }));
  gateway.addSocketRoute(app);
  const server = await startHttpServer({
    app,
    host: uiHost,
    port: uiPort,
    needsToken: token !== undefined,
    command: "ui-server",
    portFlag: "--ui-port",
    onUpgrade: gateway.onUpgrade,
    ...(announce !== undefined && { announce }),
  });
  const close = async (finish?: () => Promise<void>) => {
    try {
      await gateway.close(finish);
    } finally {
      await server.close(0);
    }
  };
  return { url: server.url, port: server.port, close };
}
