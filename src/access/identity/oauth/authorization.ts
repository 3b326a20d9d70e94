import type { Identity } from "../identity.ts";
import { isLocalAddress } from "../is-local-address.ts";
import type { Person } from "../people.ts";
import { type Clients, requestedResource, resolveRedirect } from "./clients.ts";
import {
  type AuthorizationRequest,
  beginLogin,
  type Codes,
  cookieName,
  digest,
  openConsent,
  openLogin,
  requireChallenge,
  sealConsent,
  sealLogin,
} from "./codes.ts";
import { formatUserCode, readUserCode } from "./devices.ts";
import type { Parameters } from "./oauth-error.ts";
import { OAuthError } from "./oauth-error.ts";
import { consentPage, devicePage, messagePage, requestedScope } from "./pages.ts";

export interface AuthorizationParts {
  readonly identity: Identity;
  readonly clients: Clients;
  readonly codes: Codes;
  readonly key: Buffer;
}

export interface Browser {
  cookie(name: string): string | undefined;
}

/** The browser flow: client → company login → consent → client. */
export class Authorization {
  readonly #parts: AuthorizationParts;

  constructor(parts: AuthorizationParts) {
    this.#parts = parts;
  }

  /** `GET /oauth/authorize`. Throws OAuthError if redirecting back is unsafe. */
  async begin(query: Parameters): Promise<Response> {
    const client = await this.#parts.clients.find(query.need("client_id"));
    const uri = resolveRedirect(client, query.get("redirect_uri"));
    const state = query.get("state");
    try {
      if (query.get("response_type") !== "code") {
        throw new OAuthError("unsupported_response_type", "response_type: must be code");
      }
      const challenge = requireChallenge(
        query.get("code_challenge"),
        query.get("code_challenge_method"),
      );
      const { url } = this.#parts.identity.endpoints;
      const resource = requestedResource(query.get("resource"), { url, client });
      const scope = client.isPage === true ? "admin" : requestedScope(query.get("scope"));
      const redirect = { uri, challenge, ...(state !== undefined && { state }) };
      return await this.#toProvider({ client: client.id, scope, redirect, ...resource });
    } catch (error) {
      const oauthError = toOAuthError(error);
      if (oauthError === undefined) throw error;
      return this.#back(
        { uri, state },
        { error: oauthError.code, error_description: oauthError.message },
      );
    }
  }

  async beginForDevice(form: Parameters): Promise<Response> {
    const userCode = readUserCode(form.get("user_code"));
    if (userCode === undefined) return devicePage("", true);
    return this.#toProvider({ client: "cairn-cli", scope: "admin", userCode });
  }

  async comeBack(query: URLSearchParams, browser: Browser): Promise<Response> {
    const { identity, key, clients } = this.#parts;
    const state = query.get("state") ?? "";
    const cookie = browser.cookie(cookieName(state, this.#isSecure));
    const login = cookie === undefined ? undefined : openLogin(key, cookie, this.#now);
    if (cookie === undefined || login === undefined || login.state !== state) {
      return messagePage(
        "Unknown login",
        "It was started in another browser or more than ten minutes ago. Start again.",
        400,
      );
    }
    const { claims, refreshToken } = await identity.provider.finish(query, login);
    const person = await identity.arrive(claims);
    const client = await clients.find(login.asked.client);
    const known = {
      asked: login.asked,
      person: person.id,
      ...(refreshToken && { upstream: refreshToken }),
    };
    if (client.isPage === true) return this.#allow(known, state);
    const consent = sealConsent(key, { ...known, state, browser: digest(cookie) }, this.#now);
    const { redirect, userCode, scope, resource } = login.asked;
    return consentPage({
      client: client.name,
      isUnknown: client.isUnknown,
      redirectUri: redirect?.uri,
      userCode: userCode === undefined ? undefined : formatUserCode(userCode),
      person: displayedName(person),
      scope,
      resource: resource ?? identity.endpoints.url,
      consent,
    });
  }

  async answer(form: Parameters, browser: Browser): Promise<Response> {
    const { key } = this.#parts;
    const consent = openConsent(key, form.need("consent"), this.#now);
    const cookie = browser.cookie(cookieName(consent?.state ?? "", this.#isSecure));
    if (consent === undefined || cookie === undefined || digest(cookie) !== consent.browser) {
      return messagePage(
        "Unknown login",
        "It belongs to a login in another browser, or to one that has ended. Start again.",
        400,
      );
    }
    if (form.get("answer") === "yes") return this.#allow(consent, consent.state);
    const { redirect } = consent.asked;
    if (redirect === undefined) {
      return this.#done(messagePage("Refused", "Access was denied."), consent.state);
    }
    const denial = { error: "access_denied", error_description: "The user denied access." };
    return this.#done(this.#back(redirect, denial), consent.state);
  }

  async #toProvider(request: AuthorizationRequest): Promise<Response> {
    const login = beginLogin(request, this.#now);
    const url = await this.#parts.identity.provider.loginUrl(login);
    const name = cookieName(login.state, this.#isSecure);
    return new Response(null, {
      status: 303,
      headers: {
        location: url.href,
        "cache-control": "no-store",
        "set-cookie": this.#cookie(name, sealLogin(this.#parts.key, login), 600),
      },
    });
  }

  async #allow(
    {
      asked: request,
      person,
      upstream,
    }: { asked: AuthorizationRequest; person: string; upstream?: string | undefined },
    state: string,
  ): Promise<Response> {
    const { client, scope, resource, redirect, userCode } = request;
    const granted = {
      client,
      person,
      scope,
      ...(resource !== undefined && { resource }),
      ...(upstream !== undefined && { upstream }),
    };
    if (redirect === undefined) {
      await this.#parts.codes.allow(userCode ?? "", granted);
      const page = messagePage("Done", "The device is authorized. You can close this page.");
      return this.#done(page, state);
    }
    const code = await this.#parts.codes.issue({
      ...granted,
      redirectUri: redirect.uri,
      challenge: redirect.challenge,
    });
    return this.#done(this.#back(redirect, { code }), state);
  }

  /** Redirects to the client with the issuer (RFC 9207). */
  #back(
    { uri, state }: { uri: string; state?: string | undefined },
    answer: Readonly<Record<string, string>>,
  ): Response {
    const url = new URL(uri);
    for (const [name, value] of Object.entries(answer)) url.searchParams.set(name, value);
    if (state !== undefined) url.searchParams.set("state", state);
    url.searchParams.set("iss", this.#parts.identity.endpoints.url);
    return new Response(null, {
      status: 303,
      headers: {
        location: url.href,
        "cache-control": "no-store",
        "referrer-policy": "no-referrer",
      },
    });
  }

  #done(response: Response, state: string): Response {
    response.headers.append("set-cookie", this.#cookie(cookieName(state, this.#isSecure), "", 0));
    return response;
  }

  #cookie(name: string, value: string, seconds: number): string {
    const secure = this.#isSecure ? "; Secure" : "";
    return `${name}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`;
  }

  get #isSecure(): boolean {
    const { url } = this.#parts.identity.endpoints;
    return url.startsWith("https:") || !isLocalAddress(url);
  }

  get #now(): number {
    return this.#parts.identity.clock.now().getTime();
  }
}

function displayedName({ name, display_name: displayName }: Person): string {
  return displayName === undefined ? name : `${displayName} (${name})`;
}

function toOAuthError(error: unknown): OAuthError | undefined {
  if (error instanceof OAuthError) return error;
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  const { message } = error as Error;
  return code === "unavailable" ? new OAuthError("temporarily_unavailable", message) : undefined;
}
