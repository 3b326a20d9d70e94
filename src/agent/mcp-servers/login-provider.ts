import type { OAuthClientProvider } from "@modelcontextprotocol/sdk/client/auth.js";
import {
  type OAuthClientInformationMixed,
  type OAuthClientMetadata,
  type OAuthTokens,
  OAuthTokensSchema,
} from "@modelcontextprotocol/sdk/shared/auth.js";
import type { LoginStore, StoredLogin } from "./login-store.ts";
import type { OAuthSettings } from "./server-settings.ts";

export interface LoginProviderOptions {
  readonly store: LoginStore;
  readonly address: string;
  readonly oauth: OAuthSettings;
  readonly redirectUrl: string;
  /** Shows the user where to log in; throws if no user is present. */
  readonly redirect: (url: URL) => void;
  /** Present for a new login: it registers a client of its own and ignores stored tokens. */
  readonly state?: string;
}

/** Shorter than the time for which other processes wait for the lock. */
const RENEWAL_TIMEOUT_MS = 30_000;

/** Stores and supplies the client and tokens of one server for the SDK's OAuth flow. */
export class LoginProvider implements OAuthClientProvider {
  readonly #options: LoginProviderOptions;
  #verifier = "";
  #registered: OAuthClientInformationMixed | undefined;
  /** The access token that the server refused last, and the refresh token sent for it. */
  #refusedToken: string | undefined;
  #usedRefreshToken: string | undefined;

  constructor(options: LoginProviderOptions) {
    this.#options = options;
  }

  get redirectUrl(): string {
    return this.#options.redirectUrl;
  }

  get clientMetadata(): OAuthClientMetadata {
    const { scope, clientSecret } = this.#options.oauth;
    return {
      client_name: "cairn",
      redirect_uris: [this.redirectUrl],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: clientSecret === undefined ? "none" : "client_secret_post",
      ...(scope !== undefined && { scope }),
    };
  }

  state(): string {
    return this.#options.state ?? "";
  }

  clientInformation(): OAuthClientInformationMixed | undefined {
    const { clientId, clientSecret } = this.#options.oauth;
    const registered = this.#registered ?? this.#stored()?.client;
    if (registered !== undefined || clientId === undefined) return registered;
    return {
      client_id: clientId,
      ...(clientSecret !== undefined && { client_secret: clientSecret }),
    };
  }

  /** A new client is stored with its tokens, so that a cancelled login changes nothing. */
  async saveClientInformation(client: OAuthClientInformationMixed): Promise<void> {
    const { store, address, state } = this.#options;
    if (state !== undefined) this.#registered = client;
    else {
      await store.change(address, (login) =>
        login?.client?.client_id === client.client_id ? { ...login, client } : login,
      );
    }
  }

  tokens(): OAuthTokens | undefined {
    return this.#stored()?.tokens;
  }

  async saveTokens(tokens: OAuthTokens): Promise<void> {
    const { store, address, redirectUrl, state } = this.#options;
    const client = this.#registered;
    await store.change(address, (login) => {
      if (state !== undefined)
        return { ...(client !== undefined && { client }), tokens, redirectUrl };
      // Renewed tokens are stored already, unless a newer pair replaced them.
      const isCurrent = login?.tokens?.access_token === tokens.access_token;
      return isCurrent ? { ...login, tokens } : login;
    });
  }

  redirectToAuthorization(url: URL): void {
    this.#options.redirect(url);
  }

  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier;
  }

  codeVerifier(): string {
    return this.#verifier;
  }

  async invalidateCredentials(): Promise<void> {
    const { store, address, state } = this.#options;
    this.#registered = undefined;
    if (state !== undefined) return;
    const refused = this.#usedRefreshToken;
    await store.change(address, (login) =>
      refused === undefined || login?.tokens?.refresh_token === refused ? undefined : login,
    );
  }

  /**
   * `fetch` that renews tokens in one process at a time: a server that rotates refresh tokens ends
   * the login if one is sent twice. Tokens that another process has renewed are used as they are.
   */
  renewingFetch(send: typeof fetch): typeof fetch {
    const { store, address } = this.#options;
    return async (input, init) => {
      const refreshToken = refreshTokenIn(init?.body);
      if (refreshToken !== undefined) {
        return store.whileRenewing(address, () => this.#renew(refreshToken, send, input, init));
      }
      const response = await send(input, init);
      if (response.status === 401 || response.status === 403) {
        this.#refusedToken = new Headers(init?.headers)
          .get("authorization")
          ?.replace("Bearer ", "");
      }
      return response;
    };
  }

  async #renew(
    refreshToken: string,
    send: typeof fetch,
    ...[input, init]: Parameters<typeof fetch>
  ): Promise<Response> {
    const { store, address } = this.#options;
    const current = store.get(address)?.tokens;
    const isRenewed =
      current?.refresh_token !== refreshToken || current.access_token !== this.#refusedToken;
    if (current !== undefined && isRenewed) return Response.json(current);
    this.#usedRefreshToken = refreshToken;
    const timeout = AbortSignal.timeout(RENEWAL_TIMEOUT_MS);
    const signal = init?.signal ? AbortSignal.any([init.signal, timeout]) : timeout;
    const response = await send(input, { ...init, signal });
    if (!response.ok) return response;
    const renewed = OAuthTokensSchema.safeParse(await response.clone().json());
    if (renewed.success) {
      const tokens = { ...current, ...renewed.data };
      await store.change(address, (login) => ({ ...login, tokens }));
    }
    return response;
  }

  #stored(): StoredLogin | undefined {
    const { store, address, state } = this.#options;
    return state === undefined ? store.get(address) : undefined;
  }
}

function refreshTokenIn(body: unknown): string | undefined {
  if (!(body instanceof URLSearchParams) || body.get("grant_type") !== "refresh_token") return;
  return body.get("refresh_token") ?? undefined;
}
