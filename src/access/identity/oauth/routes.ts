import type { Context, Hono } from "hono";
import { getCookie } from "hono/cookie";
import { type HttpEnv, parseQuery } from "../../../server/http/index.ts";
import { isCairnError } from "../../../shared/errors.ts";
import type { Identity } from "../identity.ts";
import { ensureKey } from "../seal.ts";
import { Authorization, type AuthorizationParts } from "./authorization.ts";
import { CLI_CLIENT_ID, Clients } from "./clients.ts";
import { Codes } from "./codes.ts";
import {
  createUserCode,
  DEVICE_INTERVAL_SECONDS,
  DEVICE_SECONDS,
  formatUserCode,
  readUserCode,
  sealDevice,
} from "./devices.ts";
import {
  jsonResponse,
  OAuthError,
  oauthErrorResponse,
  Parameters,
  readForm,
} from "./oauth-error.ts";
import { devicePage, messagePage, requestedScope } from "./pages.ts";
import {
  RESOURCE_METADATA_PATH,
  resourceMetadata,
  SERVER_METADATA_PATH,
  serverMetadata,
  TokenEndpoint,
} from "./token-endpoint.ts";

type RouteResult = (c: Context<HttpEnv>, parts: AuthorizationParts) => Promise<Response>;
type RespondToError = (error: unknown) => Response;

const PUBLIC_PATH =
  /^\/(oauth\/[a-z_]+|\.well-known\/oauth-(protected-resource|authorization-server)(\/mcp)?)$/;

export function isOAuthPath(path: string): boolean {
  return PUBLIC_PATH.test(path);
}

export function addOAuthRoutes(app: Hono<HttpEnv>, identity: Identity): void {
  const { url } = identity.endpoints;
  let partsPromise: Promise<AuthorizationParts> | undefined;
  const loadParts = () => {
    partsPromise ??= assemble(identity);
    partsPromise.catch(() => {
      partsPromise = undefined;
    });
    return partsPromise;
  };
  for (const path of ["", "/mcp"]) {
    app.get(`${RESOURCE_METADATA_PATH}${path}`, (c) => c.json(resourceMetadata(url, path)));
    app.get(`${SERVER_METADATA_PATH}${path}`, (c) => c.json(serverMetadata(identity.endpoints)));
  }
  const createHandler =
    (answer: RouteResult, refuse: RespondToError) => async (c: Context<HttpEnv>) => {
      try {
        return await answer(c, await loadParts());
      } catch (error) {
        return refuse(error);
      }
    };
  const forBrowsers = (answer: RouteResult) => createHandler(answer, respondOnPage);
  const forClients = (answer: RouteResult) => createHandler(answer, respondToClient);

  app.get(
    "/oauth/authorize",
    forBrowsers((c, all) => new Authorization(all).begin(new Parameters(parseQuery(c.req.url)))),
  );
  app.get(
    "/oauth/callback",
    forBrowsers((c, all) =>
      new Authorization(all).comeBack(parseQuery(c.req.url), createBrowser(c)),
    ),
  );
  app.post(
    "/oauth/consent",
    forBrowsers(async (c, all) =>
      new Authorization(all).answer(await readRequestForm(c), createBrowser(c)),
    ),
  );
  app.get(
    "/oauth/device",
    forBrowsers(async (c) =>
      devicePage(
        formatUserCode(readUserCode(parseQuery(c.req.url).get("user_code") ?? "") ?? "").replace(
          /^-$/,
          "",
        ),
      ),
    ),
  );
  app.post(
    "/oauth/device",
    forBrowsers(async (c, all) => new Authorization(all).beginForDevice(await readRequestForm(c))),
  );
  app.post(
    "/oauth/token",
    forClients(async (c, all) =>
      jsonResponse(await new TokenEndpoint(all).answer(await readRequestForm(c))),
    ),
  );
  app.post(
    "/oauth/register",
    forClients(async (c, all) => register(all, await c.req.json().catch(() => undefined))),
  );
  app.post(
    "/oauth/revoke",
    forClients(async (c, all) => {
      const form = await readRequestForm(c);
      await all.identity.sessions.endByToken(form.need("token"), form.need("client_id"));
      return new Response(null, { status: 200, headers: { "cache-control": "no-store" } });
    }),
  );
  app.post(
    "/oauth/device_authorization",
    forClients(async (c, all) => authorizeDevice(all, await readRequestForm(c))),
  );
}

function register({ clients }: AuthorizationParts, document: unknown): Response {
  const client = clients.register(document);
  return jsonResponse(
    {
      client_id: client.id,
      client_name: client.name,
      redirect_uris: client.redirectUris,
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: "none",
    },
    201,
  );
}

async function authorizeDevice(
  { identity, clients, key }: AuthorizationParts,
  form: Parameters,
): Promise<Response> {
  const client = await clients.find(form.need("client_id"));
  if (client.hasDevices !== true) {
    throw new OAuthError(
      "unauthorized_client",
      `client_id: only ${CLI_CLIENT_ID} may use the device flow`,
    );
  }
  const userCode = createUserCode();
  const scope = form.get("scope") === undefined ? "admin" : requestedScope(form.get("scope"));
  const until = identity.clock.now().getTime() + DEVICE_SECONDS * 1000;
  const page = `${identity.endpoints.url}/oauth/device`;
  return jsonResponse({
    device_code: sealDevice(key, { userCode, client: client.id, scope, until }),
    user_code: formatUserCode(userCode),
    verification_uri: page,
    verification_uri_complete: `${page}?user_code=${formatUserCode(userCode)}`,
    expires_in: DEVICE_SECONDS,
    interval: DEVICE_INTERVAL_SECONDS,
  });
}

function respondOnPage(error: unknown): Response {
  if (error instanceof OAuthError) return messagePage("Invalid request", error.message, 400);
  if (!isCairnError(error) || error.code === "internal") throw error;
  const status = error.code === "unavailable" ? 503 : 403;
  return messagePage("Login failed", error.message, status);
}

function respondToClient(error: unknown): Response {
  if (error instanceof OAuthError) return oauthErrorResponse(error);
  if (!isCairnError(error) || error.code === "internal") throw error;
  const isAway = error.code === "unavailable" || error.code === "busy";
  const code = isAway ? "temporarily_unavailable" : "invalid_grant";
  return oauthErrorResponse(new OAuthError(code, error.message));
}

async function assemble(identity: Identity): Promise<AuthorizationParts> {
  const key = await ensureKey(identity.records);
  return {
    identity,
    key,
    clients: new Clients({ key, url: identity.endpoints.url }),
    codes: new Codes(identity.records, identity.clock),
  };
}

async function readRequestForm(c: Context<HttpEnv>): Promise<Parameters> {
  return readForm(c.req.header("content-type"), await c.req.text());
}

function createBrowser(c: Context<HttpEnv>) {
  return { cookie: (name: string) => getCookie(c, name) };
}
