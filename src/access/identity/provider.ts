import { CairnError, messageOf } from "../../shared/errors.ts";
import { isPlainObject } from "../../shared/json.ts";
import { type Claims, readClaims } from "./claims.ts";
import { isLocalAddress } from "./is-local-address.ts";
import type { IdentitySettings } from "./settings.ts";

export interface LoginSecrets {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

export interface CompanyLogin {
  readonly claims: Claims;
  /** Used to recheck the account; undefined if the provider issues none. */
  readonly refreshToken: string | undefined;
}

export type RenewedLogin = CompanyLogin | "gone" | "unreachable";

export interface ProviderOptions
  extends Pick<
    IdentitySettings,
    "clientId" | "clientSecret" | "scopes" | "nameClaim" | "groupsClaim"
  > {
  readonly issuer: string;
  readonly redirectUrl: string;
  readonly fetch?: typeof globalThis.fetch | undefined;
}

type Library = typeof import("openid-client");
type Configuration = import("openid-client").Configuration;
type ServerMetadata = import("openid-client").ServerMetadata;
type CustomFetch = import("openid-client").CustomFetch;
type ReceivedTokens = Pick<
  Awaited<ReturnType<Library["refreshTokenGrant"]>>,
  "claims" | "access_token" | "refresh_token"
>;

const METADATA_TTL_MS = 10 * 60_000;
const TIMEOUT_SECONDS = 10;
/** Tolerated clock difference, in seconds. */
export const CLOCK_TOLERANCE_SECONDS = 60;

/** OpenID Connect client of the company's provider. */
export class CompanyProvider {
  readonly #options: ProviderOptions;
  #known: { readonly at: number; readonly metadata: ServerMetadata } | undefined;

  constructor(options: ProviderOptions) {
    this.#options = options;
  }

  /** URL of the login page. Throws unavailable. */
  async loginUrl({ state, nonce, verifier }: LoginSecrets): Promise<URL> {
    const { library, configuration } = await this.#discover();
    return library.buildAuthorizationUrl(configuration, {
      redirect_uri: this.#options.redirectUrl,
      scope: this.#options.scopes.join(" "),
      state,
      nonce,
      code_challenge: await library.calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
    });
  }

  /** Finishes the login with the callback's query. Throws forbidden and unavailable. */
  async finish(query: URLSearchParams, secrets: LoginSecrets): Promise<CompanyLogin> {
    const { library, configuration } = await this.#discover();
    const url = new URL(this.#options.redirectUrl);
    url.search = query.toString();
    try {
      const tokens = await library.authorizationCodeGrant(configuration, url, {
        pkceCodeVerifier: secrets.verifier,
        expectedNonce: secrets.nonce,
        expectedState: secrets.state,
        idTokenExpected: true,
      });
      return await this.#getLogin(library, configuration, tokens);
    } catch (error) {
      if (isUnreachable(error)) throw unreachableError(error);
      throw new CairnError(
        "forbidden",
        `The login at the provider failed: ${describeRejection(error)}. Start again.`,
        undefined,
        { cause: error },
      );
    }
  }

  /** Returns whether the account is still active and its current groups. */
  async renew(refreshToken: string): Promise<RenewedLogin> {
    try {
      const { library, configuration } = await this.#discover();
      const tokens = await library.refreshTokenGrant(configuration, refreshToken);
      const login = await this.#getLogin(library, configuration, tokens);
      return { ...login, refreshToken: login.refreshToken ?? refreshToken };
    } catch (error) {
      const code =
        isPlainObject(error) || error instanceof Error ? Reflect.get(error, "error") : "";
      return code === "invalid_grant" ? "gone" : "unreachable";
    }
  }

  async #getLogin(
    library: Library,
    configuration: Configuration,
    tokens: ReceivedTokens,
  ): Promise<CompanyLogin> {
    const { nameClaim, groupsClaim } = this.#options;
    const claims = tokens.claims();
    const subject = claims?.sub;
    const isComplete = claims?.[nameClaim] !== undefined && claims[groupsClaim] !== undefined;
    const hasMore = configuration.serverMetadata().userinfo_endpoint !== undefined;
    const more =
      isComplete || !hasMore
        ? {}
        : await library.fetchUserInfo(
            configuration,
            tokens.access_token,
            subject ?? library.skipSubjectCheck,
          );
    return {
      claims: readClaims(
        { iss: configuration.serverMetadata().issuer, ...more, ...claims },
        this.#options,
      ),
      refreshToken: tokens.refresh_token,
    };
  }

  async #discover(): Promise<{ library: Library; configuration: Configuration }> {
    const library = await import("openid-client");
    if (this.#known !== undefined && performance.now() - this.#known.at < METADATA_TTL_MS) {
      return { library, configuration: this.#configure(library, this.#known.metadata) };
    }
    const { issuer, clientId = "", fetch } = this.#options;
    try {
      const found = await library.discovery(new URL(issuer), clientId, undefined, library.None(), {
        timeout: TIMEOUT_SECONDS,
        execute: isLocalAddress(issuer) ? [library.allowInsecureRequests] : [],
        ...(fetch !== undefined && { [library.customFetch]: fetch as CustomFetch }),
      });
      this.#known = { at: performance.now(), metadata: found.serverMetadata() };
    } catch (error) {
      if (this.#known === undefined) throw unreachableError(error);
    }
    return { library, configuration: this.#configure(library, this.#known.metadata) };
  }

  /** Created per login, since a cached configuration rejects rotated keys. */
  #configure(library: Library, metadata: ServerMetadata): Configuration {
    const { issuer, clientId = "", clientSecret, fetch } = this.#options;
    const configuration = new library.Configuration(
      metadata,
      clientId,
      { [library.clockTolerance]: CLOCK_TOLERANCE_SECONDS },
      clientSecret === undefined ? library.None() : library.ClientSecretPost(clientSecret),
    );
    configuration.timeout = TIMEOUT_SECONDS;
    if (fetch !== undefined) configuration[library.customFetch] = fetch as CustomFetch;
    if (isLocalAddress(issuer)) library.allowInsecureRequests(configuration);
    // Verifies signatures even of tokens received directly from the provider.
    library.enableNonRepudiationChecks(configuration);
    return configuration;
  }
}

function unreachableError(cause: unknown): CairnError {
  return new CairnError(
    "unavailable",
    "The identity provider cannot be reached, so new logins fail. Existing sessions continue. Try again later.",
    undefined,
    { cause },
  );
}

function isUnreachable(error: unknown): boolean {
  if (error instanceof TypeError) return true;
  const { name = "", status = 0 } = error as { name?: string; status?: number };
  return name === "TimeoutError" || name === "AbortError" || status >= 500;
}

function describeRejection(error: unknown): string {
  const { error: code, error_description: description } = error as Record<string, unknown>;
  const text = [code, description].filter((part) => typeof part === "string").join(", ");
  return (text === "" ? messageOf(error) : text).replace(/[^\x20-\x7e]+/g, " ").slice(0, 200);
}
