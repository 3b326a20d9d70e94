import type { OAuthClient } from "./clients.ts";
import { OAuthError } from "./oauth-error.ts";

const MCP = "/mcp";

export function mcpResource(url: string): string {
  return `${url}${MCP}`;
}

/**
 * The part of the server that a token is for (RFC 8707); nothing: all of it. Clients that anybody can
 * register get MCP alone unless they ask for more, which the person is shown. Throws OAuthError.
 */
export function resourceAsked(
  asked: string | undefined,
  { url, client }: { readonly url: string; readonly client: OAuthClient },
): { readonly resource?: string } {
  const mcp = mcpResource(url);
  if (asked === undefined) return client.isUnknown ? { resource: mcp } : {};
  const plain = asked.replace(/[?#].*$/, "").replace(/\/+$/, "");
  if (plain === mcp) return { resource: mcp };
  if (plain === url) return {};
  throw new OAuthError("invalid_target", `resource: must be ${mcp} or ${url}`);
}
