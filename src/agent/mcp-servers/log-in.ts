import { randomBytes } from "node:crypto";
import { CairnError, messageOf } from "../../shared/errors.ts";
import { startLoopbackRedirect } from "../../shared/loopback-redirect.ts";
import { stripControlLine } from "../../shared/text.ts";
import { LoginProvider } from "./login-provider.ts";
import type { LoginStore } from "./login-store.ts";
import type { OAuthSettings } from "./server-settings.ts";

export interface LoginOptions {
  readonly address: URL;
  readonly oauth: OAuthSettings;
  readonly store: LoginStore;
  /** Shows the person the page to log in on. */
  readonly show: (url: string) => void;
  readonly signal: AbortSignal;
}

/**
 * Logs in to a server in the person's browser (OAuth 2.1 with PKCE) and keeps the tokens. Throws
 * unavailable, forbidden.
 */
export async function logIn({ address, oauth, store, show, signal }: LoginOptions): Promise<void> {
  const { auth } = await import("@modelcontextprotocol/sdk/client/auth.js");
  const state = randomBytes(24).toString("base64url");
  const callback = await startLoopbackRedirect({ state }, oauth.callbackPort);
  const provider = new LoginProvider({
    store,
    address: address.href,
    oauth,
    redirectUrl: callback.url,
    redirect: (url) => show(pageOf(url)),
    state,
  });
  const asked = {
    serverUrl: address,
    ...(oauth.scope !== undefined && { scope: oauth.scope }),
  };
  try {
    if ((await auth(provider, asked)) === "AUTHORIZED") return;
    const authorizationCode = await callback.code(signal);
    await auth(provider, { ...asked, authorizationCode });
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof CairnError) throw error;
    const reason = stripControlLine(messageOf(error)).slice(0, 300);
    throw new CairnError("unavailable", `The log-in did not work: ${reason}.`);
  } finally {
    callback.close();
  }
}

/** A browser is given web pages only, whatever a server calls its log-in. */
function pageOf(url: URL): string {
  if (url.protocol === "https:" || url.protocol === "http:") return url.href;
  throw new CairnError("forbidden", `The server's log-in is no web page: ${url.protocol}`);
}
