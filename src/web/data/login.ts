import { getFailure, RequestFailed } from "./request-failed.ts";

const CLIENT = "cairn-page";
const KEY = "cairn-login";
const METADATA = "/.well-known/oauth-authorization-server";

export interface LoginOffer {
  /** Address that users enter, without a trailing slash. */
  readonly issuer: string;
  /** Host of the identity provider. */
  readonly provider: string;
}

interface PendingLogin {
  readonly state: string;
  readonly verifier: string;
  readonly issuer: string;
  readonly place: string;
}

type LoginResult = { readonly token: string } | { readonly failure: string };

/** Undefined if the server has no login or does not respond. */
export async function findLogin(): Promise<LoginOffer | undefined> {
  const response = await fetch(METADATA).catch(() => undefined);
  if (response?.ok !== true) return undefined;
  const body = await response.json().catch(() => undefined);
  if (typeof body?.issuer !== "string" || typeof body.cairn_provider !== "string") return undefined;
  return { issuer: body.issuer, provider: body.cairn_provider };
}

/** True if the page was opened at the address to which the provider redirects. */
export function isHere({ issuer }: LoginOffer): boolean {
  return issuer === location.origin;
}

/** Redirects to the provider (authorization code with PKCE). Throws a displayable error. */
export async function beginLogin({ issuer }: LoginOffer): Promise<void> {
  const started: PendingLogin = {
    state: secret(),
    verifier: secret(),
    issuer,
    place: location.pathname + location.search,
  };
  const challenge = await getChallenge(started.verifier);
  sessionStorage.setItem(KEY, JSON.stringify(started));
  const query = new URLSearchParams({
    response_type: "code",
    client_id: CLIENT,
    redirect_uri: getRedirect(issuer),
    state: started.state,
    code_challenge: challenge,
    code_challenge_method: "S256",
  });
  location.assign(`${issuer}/oauth/authorize?${query}`);
}

/**
 * Completes a login after the provider's redirect; undefined if there was none. Restores the URL
 * immediately to remove the code from it.
 */
export async function endLogin(): Promise<LoginResult | undefined> {
  const query = new URLSearchParams(location.search);
  const isBack = query.has("state") && (query.has("code") || query.has("error"));
  if (location.pathname !== "/ui/" || !isBack) return undefined;
  const started = takePendingLogin();
  history.replaceState(history.state, "", started?.place ?? location.pathname);
  if (started === undefined || query.get("state") !== started.state) {
    return { failure: "This login was started in another tab. Log in again." };
  }
  if (query.get("iss") !== started.issuer) {
    return { failure: "Another server responded to this login. Log in again." };
  }
  const code = query.get("code");
  if (code === null) return { failure: getRefusal(query) };
  try {
    return { token: await exchange(code, started) };
  } catch (error) {
    return { failure: getFailure(error).message };
  }
}

/** Revokes the login on the server. Throws a displayable error. */
export async function revokeLogin(token: string): Promise<void> {
  const response = await fetch("/oauth/revoke", {
    method: "POST",
    body: new URLSearchParams({ client_id: CLIENT, token }),
  }).catch(() => undefined);
  if (response?.ok === true) return;
  const why =
    response === undefined ? "server unreachable" : `the server returned status ${response.status}`;
  throw new Error(`You are still logged in: ${why}. Try again.`);
}

function takePendingLogin(): PendingLogin | undefined {
  const stored = sessionStorage.getItem(KEY);
  sessionStorage.removeItem(KEY);
  return stored === null ? undefined : JSON.parse(stored);
}

async function exchange(code: string, { verifier, issuer }: PendingLogin): Promise<string> {
  const response = await fetch("/oauth/token", {
    method: "POST",
    body: new URLSearchParams({
      grant_type: "authorization_code",
      client_id: CLIENT,
      code,
      code_verifier: verifier,
      redirect_uri: getRedirect(issuer),
    }),
  }).catch(() => {
    throw new RequestFailed({ code: "offline", message: "Server unreachable." }, 0);
  });
  const body = await response.json().catch(() => undefined);
  if (response.ok && typeof body?.access_token === "string") return body.access_token;
  const messages = typeof body?.error_description === "string" ? body.error_description : undefined;
  const message = `You are not logged in: ${messages ?? `the server returned status ${response.status}.`}`;
  throw new RequestFailed({ code: "unauthorized", message }, response.status);
}

function getRefusal(query: URLSearchParams): string {
  const text = query.get("error_description") ?? query.get("error") ?? "";
  return `You are not logged in: ${text}`;
}

function getRedirect(issuer: string): string {
  return `${issuer}/ui/`;
}

function secret(): string {
  return base64url(crypto.getRandomValues(new Uint8Array(32)));
}

async function getChallenge(verifier: string): Promise<string> {
  // Browsers provide it only over https and on localhost.
  if (!isSecureContext) {
    throw new Error("Login requires HTTPS; this page was loaded over HTTP.");
  }
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier));
  return base64url(new Uint8Array(digest));
}

function base64url(bytes: Uint8Array): string {
  const text = btoa(String.fromCharCode(...bytes));
  return text.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}
