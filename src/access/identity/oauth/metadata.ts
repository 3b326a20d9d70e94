import type { IdentityPlace } from "../identity.ts";
import { grantedScope, OAUTH_SCOPES, USUAL_SCOPES } from "./scopes.ts";
import { GRANT_TYPES } from "./token-endpoint.ts";

export const RESOURCE_METADATA = "/.well-known/oauth-protected-resource";
export const SERVER_METADATA = "/.well-known/oauth-authorization-server";

/** RFC 9728: who gives tokens for a part of this server. */
export function resourceMetadata(url: string, path: string): object {
  return {
    resource: `${url}${path}`,
    authorization_servers: [url],
    // Clients ask for all of these: what a person seldom needs is not among them.
    scopes_supported: USUAL_SCOPES,
    bearer_methods_supported: ["header"],
    resource_name: "cairn memory",
  };
}

/** RFC 8414, with what the page calls the log-in by, and what MCP's clients look for. */
export function serverMetadata({ url, issuer }: IdentityPlace): object {
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

/** What a refusal says of where to get a token (RFC 9728, 6750). */
export function challenge(url: string, path: string, wasGiven: boolean): string {
  const isMcp = path === "/mcp";
  const parts = [
    ...(wasGiven ? ['error="invalid_token"'] : []),
    `resource_metadata="${url}${RESOURCE_METADATA}${isMcp ? path : ""}"`,
    `scope="${isMcp ? USUAL_SCOPES.join(" ") : grantedScope("write")}"`,
  ];
  return `Bearer ${parts.join(", ")}`;
}
