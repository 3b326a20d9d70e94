import { type AccessScope, lowerScope } from "../../../shared/caller.ts";
import type { Identity, IdentityEndpoints } from "../identity.ts";
import type { IssuedTokens } from "../sessions.ts";
import type { AuthorizationParts } from "./authorization.ts";
import type { OAuthClient } from "./clients.ts";
import { requestedResource } from "./clients.ts";
import { isProof } from "./codes.ts";
import { openDevice } from "./devices.ts";
import type { Parameters } from "./oauth-error.ts";
import { OAuthError } from "./oauth-error.ts";
import { DEFAULT_SCOPES, grantedScope, OAUTH_SCOPES } from "./pages.ts";

const MINUTE_MS = 60_000;
/** Maximum session lifetime, after which the user must log in again. */
const SESSION_TTL_MS = 30 * 24 * 60 * MINUTE_MS;
/** The page has no refresh token, so its session lasts a working day. */
const PAGE_SESSION_TTL_MS = 10 * 60 * MINUTE_MS;
const CODE_GRANT = "authorization_code";
const REFRESH_GRANT = "refresh_token";
const DEVICE_GRANT = "urn:ietf:params:oauth:grant-type:device_code";

export const GRANT_TYPES: readonly string[] = [CODE_GRANT, REFRESH_GRANT, DEVICE_GRANT];

/** `POST /oauth/token`: exchanges codes, refresh tokens and device codes. */
export class TokenEndpoint {
  readonly #parts: AuthorizationParts;

  constructor(parts: AuthorizationParts) {
    this.#parts = parts;
  }

  answer(form: Parameters): Promise<object> {
    switch (form.need("grant_type")) {
      case CODE_GRANT:
        return this.#ofCode(form);
      case REFRESH_GRANT:
        return this.#ofRefresh(form);
      case DEVICE_GRANT:
        return this.#ofDevice(form);
      default:
        throw new OAuthError("unsupported_grant_type", `grant_type: ${GRANT_TYPES.join(", ")}`);
    }
  }

  async #ofCode(form: Parameters): Promise<object> {
    const { clients } = this.#parts;
    const client = await clients.find(form.need("client_id"));
    const verifier = form.need("code_verifier");
    const redirectUri = form.get("redirect_uri");
    return this.#redeem(form.need("code"), client, (granted) => {
      const isSameUri = redirectUri === undefined || redirectUri === granted.redirectUri;
      const isSamePart = this.#isSameResource(form, client, granted.resource);
      return isSameUri && isSamePart && isProof(verifier, granted.challenge);
    });
  }

  async #ofDevice(form: Parameters): Promise<object> {
    const { clients, identity, key } = this.#parts;
    const client = await clients.find(form.need("client_id"));
    const device = openDevice(key, form.need("device_code"));
    if (device === undefined || device.client !== client.id) {
      throw new OAuthError("invalid_grant", "device_code: unknown device code");
    }
    if (device.until <= identity.clock.now().getTime()) {
      throw new OAuthError(
        "expired_token",
        "The code expired before it was confirmed; start again",
      );
    }
    const code = `device:${device.userCode}`;
    return this.#redeem(code, client, () => true, device.scope).catch((error: unknown) => {
      const isNone = error instanceof OAuthError && error.code === "invalid_grant";
      throw isNone
        ? new OAuthError("authorization_pending", "The code has not been confirmed yet")
        : error;
    });
  }

  async #redeem(
    code: string,
    client: OAuthClient,
    isProven: (granted: {
      redirectUri?: string | undefined;
      challenge?: string | undefined;
      resource?: string | undefined;
    }) => boolean,
    maxScope: AccessScope = "admin",
  ): Promise<object> {
    const { codes, identity } = this.#parts;
    const exchanged = await codes.take(code, (it) => it.client === client.id && isProven(it));
    if (exchanged !== undefined && "used" in exchanged) {
      // The code leaked: revoke what it was exchanged for.
      if (exchanged.used !== undefined) await identity.sessions.end(exchanged.used);
      throw new OAuthError("invalid_grant", "code: has already been used");
    }
    const person =
      exchanged === undefined ? undefined : await identity.people.get(exchanged.granted.person);
    if (exchanged === undefined || person === undefined || !person.active) {
      throw new OAuthError(
        "invalid_grant",
        "code: is unknown, expired, or issued to another client",
      );
    }
    const { scope, resource, upstream } = exchanged.granted;
    const isPage = client.isPage === true;
    const isRenewable = !isPage && upstream !== undefined;
    const issued = await identity.sessions.begin({
      person: person.id,
      client: { id: client.id, name: client.name },
      scope: lowerScope(scope, maxScope),
      resource,
      upstream,
      accessMs: isPage ? PAGE_SESSION_TTL_MS : identity.accessMs,
      // Without a provider refresh token, deactivated accounts cannot be detected.
      lastsMs: isRenewable ? SESSION_TTL_MS : PAGE_SESSION_TTL_MS,
      isRenewable: !isPage,
    });
    await exchanged.note(issued.session.id);
    identity.logger.info(`${person.name} logged in with ${client.name}`);
    return tokenResponse(issued);
  }

  async #ofRefresh(form: Parameters): Promise<object> {
    const { clients, identity } = this.#parts;
    const client = await clients.find(form.need("client_id"));
    const token = form.need("refresh_token");
    const known = await identity.sessions.ofRefresh(token);
    const upstream = await this.#lookAgain(identity, known);
    if (known !== undefined && !this.#isSameResource(form, client, known.session.resource)) {
      throw new OAuthError("invalid_target", "resource: differs from the resource of the token");
    }
    const renewal = await identity.sessions.renew(token, {
      clientId: client.id,
      accessMs: identity.accessMs,
      upstream,
    });
    if (renewal.kind === "renewed") return tokenResponse(renewal.tokens);
    throw new OAuthError(
      "invalid_grant",
      "refresh_token: is unknown, expired, or has already been used",
    );
  }

  /**
   * Checks the account and its groups at the provider. Access continues if it cannot be checked.
   */
  async #lookAgain(
    identity: Identity,
    known: Awaited<ReturnType<Identity["sessions"]["ofRefresh"]>>,
  ): Promise<string | undefined> {
    if (known === undefined) return undefined;
    const { session, upstream } = known;
    const person =
      session.person === undefined ? undefined : await identity.people.get(session.person);
    const userNotFound = () => new OAuthError("invalid_grant", "The user no longer exists");
    if (person === undefined || !person.active) {
      await identity.sessions.end(session.id);
      throw userNotFound();
    }
    if (upstream === undefined) return undefined;
    const renewed = await identity.provider.renew(upstream);
    if (renewed === "unreachable") return upstream;
    if (renewed !== "gone" && (await identity.arrive(renewed.claims)).id === person.id) {
      return renewed.refreshToken;
    }
    await identity.sessions.end(session.id);
    throw userNotFound();
  }

  #isSameResource(form: Parameters, client: OAuthClient, resource: string | undefined): boolean {
    const { url } = this.#parts.identity.endpoints;
    const requested = form.get("resource");
    return (
      requested === undefined || requestedResource(requested, { url, client }).resource === resource
    );
  }
}

function tokenResponse({ access, refresh, expiresInSeconds, session }: IssuedTokens): object {
  return {
    access_token: access,
    token_type: "Bearer",
    expires_in: expiresInSeconds,
    scope: grantedScope(session.scope),
    ...(refresh !== undefined && { refresh_token: refresh }),
  };
}

export const RESOURCE_METADATA_PATH = "/.well-known/oauth-protected-resource";
export const SERVER_METADATA_PATH = "/.well-known/oauth-authorization-server";

/** RFC 9728: authorization servers of a resource. */
export function resourceMetadata(url: string, path: string): object {
  return {
    resource: `${url}${path}`,
    authorization_servers: [url],
    // Clients request all listed scopes, so rarely needed ones are left out.
    scopes_supported: DEFAULT_SCOPES,
    bearer_methods_supported: ["header"],
    resource_name: "cairn memory",
  };
}

/** RFC 8414 metadata for the page and MCP clients. */
export function serverMetadata({ url, issuer }: IdentityEndpoints): object {
  return {
    issuer: url,
    authorization_endpoint: `${url}/oauth/authorize`,
    token_endpoint: `${url}/oauth/token`,
    registration_endpoint: `${url}/oauth/register`,
    revocation_endpoint: `${url}/oauth/revoke`,
    device_authorization_endpoint: `${url}/oauth/device_authorization`,
    response_types_supported: ["code"],
    response_modes_supported: ["query"],
    grant_types_supported: GRANT_TYPES,
    code_challenge_methods_supported: ["S256"],
    token_endpoint_auth_methods_supported: ["none"],
    revocation_endpoint_auth_methods_supported: ["none"],
    scopes_supported: OAUTH_SCOPES,
    authorization_response_iss_parameter_supported: true,
    cairn_provider: new URL(issuer).host,
  };
}

export function challenge(url: string, path: string, hasToken: boolean): string {
  const isMcp = path === "/mcp";
  const parts = [
    ...(hasToken ? ['error="invalid_token"'] : []),
    `resource_metadata="${url}${RESOURCE_METADATA_PATH}${isMcp ? path : ""}"`,
    `scope="${isMcp ? DEFAULT_SCOPES.join(" ") : grantedScope("write")}"`,
  ];
  return `Bearer ${parts.join(", ")}`;
}
