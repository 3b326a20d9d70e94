import type { ThreadHost } from "../../agent/index.ts";
import type { Logger } from "../../shared/logger.ts";
import {
  createGuardedApp,
  createRequestGuard,
  type HttpSettings,
  startHttpServer,
  type TokenHolders,
} from "../http/index.ts";
import { SOCKET_PATH } from "./accept-upgrade.ts";
import { type AgentGatewayOptions, openAgentGateway } from "./agent-door.ts";
import { PROTOCOL_VERSION } from "./server-messages.ts";

export interface UiServerOptions {
  readonly host: ThreadHost;
  readonly settings: UiServerSettings;
  readonly logger: Logger;
  /** Holders of tokens of the scope `approve`; default: only the server's own token is known. */
  readonly holders?: TokenHolders;
  /** Gets the ready line. Default: stderr. */
  readonly announce?: (line: string) => void;
  /** Servers of this user that run now; default: none are known. */
  readonly servers?: AgentGatewayOptions["servers"];
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
  const { host, settings, logger, announce, holders } = options;
  const { uiHost, uiPort, token, limits } = settings;
  const { bodyBytes, requestsAtOnce } = limits;
  const guard = createRequestGuard({ ...settings, host: uiHost, token, holders });
  const { servers } = options;
  const door = openAgentGateway({
    ...{ host, guard, limits, logger },
    ...(servers !== undefined && { servers }),
  });
  const app = createGuardedApp({
    ...{ guard, logger, bodyBytes, requestsAtOnce },
    neededFor: () => "approve",
  });
  app.get("/", (c) =>
    c.text(`cairn ui-server, protocol version ${PROTOCOL_VERSION}. Connect to ${SOCKET_PATH}.\n`),
  );
  app.get("/health", (c) => c.json({ ok: true, ...door.facts() }));
  door.addSocketRoute(app);
  const server = await startHttpServer({
    app,
    host: uiHost,
    port: uiPort,
    needsToken: token !== undefined,
    command: "ui-server",
    portFlag: "--ui-port",
    onUpgrade: door.onUpgrade,
    ...(announce !== undefined && { announce }),
  });
  const close = async (finish?: () => Promise<void>) => {
    try {
      await door.close(finish);
    } finally {
      await server.close(0);
    }
  };
  return { url: server.url, port: server.port, close };
}
