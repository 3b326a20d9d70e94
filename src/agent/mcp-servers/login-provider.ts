import type { OAuthClientProvider } from "@modelcontextprotocol/sdk/client/auth.js";
import type {
  OAuthClientInformationMixed,
  OAuthClientMetadata,
  OAuthTokens,
} from "@modelcontextprotocol/sdk/shared/auth.js";
import type { LoginStore } from "./login-store.ts";
import type { OAuthSettings } from "./server-settings.ts";

export interface LoginProviderOptions {
  readonly store: LoginStore;
  readonly address: string;
  readonly oauth: OAuthSettings;
  readonly redirectUrl: string;
  /** Shows the person where to log in; throws where nobody is there to do it. */
  readonly redirect: (url: URL) => void;
  readonly state?: string;
}

/** Keeps what a log-in needs where the protocol's client asks for it. */
export class LoginProvider implements OAuthClientProvider {
  readonly #options: LoginProviderOptions;
  #verifier = "";
  #lastTokens: OAuthTokens | undefined;
  /** A log-in that begins is a new client: its address to come back to is another one. */
  #registered: OAuthClientInformationMixed | undefined;

  constructor(options: LoginProviderOptions) {
    this.#options = options;
    const { store, address, state } = options;
    this.#registered = state === undefined ? store.get(address)?.client : undefined;
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
    if (this.#registered !== undefined || clientId === undefined) return this.#registered;
    return {
      client_id: clientId,
      ...(clientSecret !== undefined && { client_secret: clientSecret }),
    };
  }

  saveClientInformation(client: OAuthClientInformationMixed): void {
    this.#registered = client;
    const { store, address, redirectUrl } = this.#options;
    store.change(address, { client, redirectUrl });
  }

  tokens(): OAuthTokens | undefined {
    const { store, address, state } = this.#options;
    this.#lastTokens = state === undefined ? store.get(address)?.tokens : undefined;
    return this.#lastTokens;
  }

  saveTokens(tokens: OAuthTokens): void {
    const { store, address, redirectUrl } = this.#options;
    store.change(address, { tokens, redirectUrl });
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

  invalidateCredentials(): void {
    const { store, address } = this.#options;
    const stored = store.get(address)?.tokens?.refresh_token;
    if (this.#lastTokens !== undefined && stored !== this.#lastTokens.refresh_token) return;
    this.#registered = undefined;
    store.remove(address);
  }
}
