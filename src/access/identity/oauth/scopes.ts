import { type AccessScope, MEMORY_SCOPES } from "../../../shared/caller.ts";
import { shorten } from "../../../shared/text.ts";
import { OAuthError } from "./oauth-error.ts";

/** What a client may ask for; the roles of who consents are never exceeded. */
export const OAUTH_SCOPES: readonly AccessScope[] = MEMORY_SCOPES.filter((it) => it !== "metrics");

export const USUAL_SCOPES: readonly AccessScope[] = ["read", "write"];

/** Scopes of OpenID Connect that clients add by habit; they grant nothing here. */
const IGNORED: readonly string[] = ["offline_access", "openid", "profile", "email"];

/**
 * The highest scope of a request; `write` if it names none, `read` if it names only ignored ones. Throws OAuthError
 * for a scope that does not exist: granting another one in its place would be a guess.
 */
export function scopeAsked(text: string | undefined): AccessScope {
  const asked = (text ?? "").split(/\s+/).filter((scope) => scope !== "");
  const unknown = asked.find(
    (scope) => !IGNORED.includes(scope) && !OAUTH_SCOPES.some((known) => known === scope),
  );
  if (unknown !== undefined) {
    throw new OAuthError(
      "invalid_scope",
      `scope: there is no "${shorten(unknown, 40)}"; known are ${OAUTH_SCOPES.join(", ")}`,
    );
  }
  const known = OAUTH_SCOPES.filter((scope) => asked.includes(scope));
  return known.at(-1) ?? (asked.length === 0 ? "write" : "read");
}

export function grantedScope(scope: AccessScope): string {
  return OAUTH_SCOPES.slice(0, OAUTH_SCOPES.indexOf(scope) + 1).join(" ");
}
