import { CairnError, messageOf } from "../../shared/errors.ts";
import { isPlainObject } from "../../shared/json.ts";
import { isLocalAddress } from "./is-local-address.ts";
import { CLOCK_TOLERANCE_SECONDS } from "./provider.ts";

type KeySet = ReturnType<typeof import("jose").createRemoteJWKSet>;

/** Asymmetric only: rejects `none` and secrets, so a public key is never used as an HMAC secret. */
const SIGNING_ALGORITHMS = [
  "RS256",
  "RS384",
  "RS512",
  "PS256",
  "PS384",
  "PS512",
  "ES256",
  "ES384",
  "ES512",
  "EdDSA",
];
const TIMEOUT_MS = 10_000;
/** Minimum interval between key refreshes, so that forged tokens cannot trigger them. */
const REFETCH_COOLDOWN_MS = 10_000;
const KEY_SET_TTL_MS = 10 * 60_000;

export class TokenVerifier {
  readonly #fetch: typeof globalThis.fetch;
  readonly #keys = new Map<string, Promise<KeySet>>();

  constructor(fetch: typeof globalThis.fetch = globalThis.fetch) {
    this.#fetch = fetch;
  }

  /**
   * Returns the verified claims. Throws unauthorized, or unavailable if the keys cannot be fetched.
   */
  async verify(
    token: string,
    { issuer, audience }: { readonly issuer: string; readonly audience: string },
  ): Promise<Readonly<Record<string, unknown>>> {
    const { jwtVerify, errors } = await import("jose");
    try {
      const { payload } = await jwtVerify(token, await this.#getKeys(issuer), {
        issuer,
        audience,
        algorithms: SIGNING_ALGORITHMS,
        clockTolerance: CLOCK_TOLERANCE_SECONDS,
        requiredClaims: ["exp", "iat", "sub"],
      });
      return payload;
    } catch (error) {
      if (error instanceof CairnError) throw error;
      if (error instanceof errors.JWKSTimeout || !(error instanceof errors.JOSEError)) {
        throw unreachableError(issuer, error);
      }
      if (error.code === "ERR_JOSE_GENERIC") throw unreachableError(issuer, error);
      throw new CairnError("unauthorized", `The token is invalid: ${messageOf(error)}.`);
    }
  }

  #getKeys(issuer: string): Promise<KeySet> {
    const known = this.#keys.get(issuer);
    if (known !== undefined) return known;
    const keys = this.#discover(issuer);
    this.#keys.set(issuer, keys);
    // Retry an unreachable issuer on the next request.
    keys.catch(() => this.#keys.delete(issuer));
    return keys;
  }

  async #discover(issuer: string): Promise<KeySet> {
    const { createRemoteJWKSet, customFetch } = await import("jose");
    const address = `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`;
    const answer = await this.#fetch(address, {
      redirect: "error",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    }).catch((error: unknown) => {
      throw unreachableError(issuer, error);
    });
    const metadata: unknown = answer.ok ? await answer.json().catch(() => undefined) : undefined;
    if (
      !isPlainObject(metadata) ||
      metadata.issuer !== issuer ||
      typeof metadata.jwks_uri !== "string"
    ) {
      throw unreachableError(issuer, undefined);
    }
    const keys = new URL(metadata.jwks_uri);
    if (keys.protocol !== "https:" && !isLocalAddress(keys.href))
      throw unreachableError(issuer, undefined);
    return createRemoteJWKSet(keys, {
      timeoutDuration: TIMEOUT_MS,
      cooldownDuration: REFETCH_COOLDOWN_MS,
      cacheMaxAge: KEY_SET_TTL_MS,
      [customFetch]: this.#fetch,
    });
  }
}

function unreachableError(issuer: string, cause: unknown): CairnError {
  return new CairnError(
    "unavailable",
    `The signing keys of ${issuer} cannot be fetched, so its tokens cannot be verified. Try again later.`,
    undefined,
    { cause },
  );
}
