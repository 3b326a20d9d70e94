import type { ThreadHost } from "../agent/index.ts";
import {
  createGuardedApp,
  createRequestGuard,
  errorResponse,
  type HttpSettings,
  startHttpServer,
} from "../http/index.ts";
import { invalidInput } from "../kernel/errors.ts";
import type { Logger } from "../kernel/logger.ts";
import { createUpgradeListener, SOCKET_PATH } from "./accept-upgrade.ts";
import { Clients } from "./clients.ts";
import { ownThreads } from "./own-threads.ts";
import { PROTOCOL_VERSION } from "./server-messages.ts";

export interface UiServerOptions {
  readonly host: ThreadHost;
  readonly settings: UiServerSettings;
  readonly logger: Logger;
  /** Gets the ready line. Default: stderr. */
  readonly announce?: (line: string) => void;
}

type UiServerSettings = Pick<
  HttpSettings,
  "uiHost" | "uiPort" | "token" | "allowHost" | "allowOrigin" | "limits"
>;

export interface UiServer {
  /** `http://HOST:PORT` */
  readonly url: string;
  readonly port: number;
  /**
   * Accepts nobody any more, waits for `finish` while clients still hear of it (the place to close
   * the agent runner), then closes the sockets with 1001.
   */
  close(finish?: () => Promise<void>): Promise<void>;
}

/** Serves the agent to any UI. Throws what `startHttpServer` throws. */
export async function startUiServer(options: UiServerOptions): Promise<UiServer> {
  const { host, settings, logger } = options;
  const { uiHost, uiPort, token, limits } = settings;
  const guard = createRequestGuard({ ...settings, host: uiHost, token });
  const clients = new Clients({ host, logger, outboundBytes: limits.outboundBytes });
  let isStopping = false;
  const server = await startHttpServer({
    app: createRoutes(options, guard),
    host: uiHost,
    port: uiPort,
    needsToken: token !== undefined,
    command: "ui-server",
    portFlag: "--ui-port",
    onUpgrade: createUpgradeListener({
      guard,
      clients,
      logger,
      frameBytes: limits.frameBytes,
      maxClients: limits.clients,
      isStopping: () => isStopping,
    }),
    ...(options.announce !== undefined && { announce: options.announce }),
  });
  const close = async (finish?: () => Promise<void>) => {
    isStopping = true;
    try {
      await finish?.();
    } finally {
      await clients.close();
      await server.close(0);
    }
  };
  return { url: server.url, port: server.port, close };
}

function createRoutes(
  { host, settings, logger }: UiServerOptions,
  guard: ReturnType<typeof createRequestGuard>,
) {
  const { bodyBytes, requestsAtOnce } = settings.limits;
  const app = createGuardedApp({ guard, logger, bodyBytes, requestsAtOnce });
  app.get("/", (c) =>
    c.text(`cairn ui-server, protocol version ${PROTOCOL_VERSION}. Connect to ${SOCKET_PATH}.\n`),
  );
  app.get("/health", (c) =>
    c.json({
      ok: true,
      protocolVersion: PROTOCOL_VERSION,
      cwd: host.info.cwd,
      threadCount: ownThreads(host).length,
    }),
  );
  app.get(SOCKET_PATH, () => {
    const refusal = errorResponse(
      invalidInput(`${SOCKET_PATH} is a WebSocket: connect with ws://.`),
    );
    const headers = { ...Object.fromEntries(refusal.headers), upgrade: "websocket" };
    return new Response(refusal.body, { status: 426, headers });
  });
  return app;
}
