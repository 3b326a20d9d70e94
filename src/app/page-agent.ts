import type { Hono } from "hono";
import { ApproveHolders, OneTimeLinks, type TokenHolders } from "../access/index.ts";
import type { ThreadHost } from "../agent/index.ts";
import {
  createRequestGuard,
  type HttpEnv,
  type HttpSettings,
  type RequestGuard,
  TRANSFER_LIMITS,
} from "../server/http/index.ts";
import {
  type AgentGateway,
  type AgentGatewayOptions,
  openAgentGateway,
} from "../server/ui/index.ts";
import { OWNER } from "../shared/caller.ts";
import type { Logger } from "../shared/logger.ts";

const AGENT_PATH = "/agent";
const LINKS_PATH = `${AGENT_PATH}/links`;
const SESSION_PATH = `${AGENT_PATH}/session`;
const IMAGES_PATH = `${AGENT_PATH}/images/`;
const SOCKET_PATH = "/ws";

/** Paths that accept tokens of the scope `approve`. */
export function isAgentPath(path: string): boolean {
  return path === SOCKET_PATH || path === AGENT_PATH || path.startsWith(IMAGES_PATH);
}

const LINK_WORDS = {
  refusal: "This link to the agent has expired or was already used. Run `cairn ui` again.",
  warning:
    "A link to the agent was opened a second time. If that was not you, stop cairn: another program on this machine can see your links.",
};

export interface PageAgentOptions {
  readonly host: ThreadHost;
  readonly token: string;
  /** Registered secret that authorizes creating links. */
  readonly secret: string;
  readonly settings: Pick<HttpSettings, "host" | "allowHost" | "allowOrigin" | "limits">;
  readonly logger: Logger;
  readonly servers?: AgentGatewayOptions["servers"];
  /** Tokens of this data directory; those with scope `approve` may connect to the agent. */
  readonly holders: TokenHolders;
  readonly onUpgradeAnswer?: AgentGatewayOptions["onUpgradeAnswer"];
}

export interface PageAgent {
  readonly gateway: AgentGateway;
  guardOf(path: string): RequestGuard | undefined;
  addRoutes(app: Hono<HttpEnv>): void;
  /** Creates a secret that admits one page to the agent. */
  makeLink(): string;
}

/**
 * `GET /agent` returns the agent, `GET /agent/images/NAME` a message's image. `POST /agent/links`
 * creates a secret, which `POST /agent/session` exchanges for the token. `/ws` is the agent's
 * connection.
 *
 * The secret works once, because other users can see the browser's command line.
 */
export function addAgentRoutes({
  host,
  token,
  secret,
  settings,
  logger,
  servers,
  holders,
  onUpgradeAnswer,
}: PageAgentOptions): PageAgent {
  const { host: address, allowHost, allowOrigin } = settings;
  const listening = { host: address, allowHost, allowOrigin };
  const guard = createRequestGuard({ ...listening, token, holders: new ApproveHolders(holders) });
  const gateway = openAgentGateway({
    ...{ host, guard, limits: TRANSFER_LIMITS, logger, onUpgradeAnswer },
    ...(servers !== undefined && { servers }),
  });
  const links = new OneTimeLinks<undefined>(LINK_WORDS, (message) => logger.warn(message));
  const makersGuard = createRequestGuard({ ...listening, token: secret });
  const guardOfLinks = createRequestGuard({
    ...listening,
    holders: {
      isClosed: async () => true,
      holderOf: async (link) => {
        links.use(link);
        return OWNER;
      },
    },
  });
  return {
    gateway: gateway,
    makeLink: () => links.make(undefined).link,
    guardOf(path) {
      if (path === SESSION_PATH) return guardOfLinks;
      if (path === LINKS_PATH) return makersGuard;
      return isAgentPath(path) ? guard : undefined;
    },
    addRoutes(app) {
      app.get(AGENT_PATH, (c) => c.json(gateway.facts()));
      app.post(LINKS_PATH, (c) => c.json({ link: links.make(undefined).link }));
      app.post(SESSION_PATH, (c) => c.json({ token }));
      app.get(`${IMAGES_PATH}:name`, async (c) => {
        const { mediaType, data } = await host.readImage(c.req.param("name"));
        const headers = { "content-type": mediaType, "cache-control": "private, max-age=86400" };
        return c.body(Buffer.from(data, "base64"), 200, headers);
      });
      gateway.addSocketRoute(app);
    },
  };
}
