import { type AccessScope, MEMORY_SCOPES } from "../../../shared/caller.ts";

/** What a client may ask for; the roles of who consents are never exceeded. */
export const OAUTH_SCOPES: readonly AccessScope[] = MEMORY_SCOPES.filter((it) => it !== "metrics");

/** What clients of MCP are told to ask for. */
export const USUAL_SCOPES: readonly AccessScope[] = ["read", "write"];

/** The highest of those asked for; others, such as `offline_access`, mean nothing here. */
export function scopeAsked(text: string | undefined): AccessScope {
  const asked = (text ?? "").split(/\s+/);
  const known = OAUTH_SCOPES.filter((scope) => asked.includes(scope));
  return known.at(-1) ?? "write";
}

/** As answers name it: with all before it. */
export function scopeTold(scope: AccessScope): string {
  return OAUTH_SCOPES.slice(0, OAUTH_SCOPES.indexOf(scope) + 1).join(" ");
}
