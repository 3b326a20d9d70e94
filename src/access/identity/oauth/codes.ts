import { createHash, randomBytes } from "node:crypto";
import { z } from "zod";
import type { StoredRecords } from "../../../database/index.ts";
import { ACCESS_SCOPES } from "../../../shared/caller.ts";
import type { Clock } from "../../../shared/clock.ts";
import { seal, unseal } from "../seal.ts";
import { OAuthError } from "./oauth-error.ts";

const authorizationRequest = z.object({
  client: z.string(),
  scope: z.enum(ACCESS_SCOPES),
  resource: z.string().optional(),
  redirect: z
    .object({ uri: z.string(), state: z.string().optional(), challenge: z.string() })
    .optional(),
  userCode: z.string().optional(),
});

export type AuthorizationRequest = z.output<typeof authorizationRequest>;

const login = z.object({
  asked: authorizationRequest,
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  until: z.number(),
});

const consent = z.object({
  asked: authorizationRequest,
  person: z.string(),
  upstream: z.string().optional(),
  browser: z.string(),
  state: z.string(),
  until: z.number(),
});

type Login = z.output<typeof login>;
type Consent = z.output<typeof consent>;

const LOGIN_TTL_MS = 10 * 60_000;

/**
 * Pending logins live sealed in a browser cookie: they use no storage and cannot be finished by
 * another browser.
 */
export function beginLogin(about: AuthorizationRequest, now: number): Login {
  const secret = () => randomBytes(32).toString("base64url");
  return {
    asked: about,
    state: secret(),
    nonce: secret(),
    verifier: secret(),
    until: now + LOGIN_TTL_MS,
  };
}

export function sealLogin(key: Buffer, value: Login): string {
  return seal(key, "login", JSON.stringify(value));
}

export function openLogin(key: Buffer, sealed: string, now: number): Login | undefined {
  return unsealRecord(login, unseal(key, "login", sealed), now);
}

export function sealConsent(key: Buffer, value: Omit<Consent, "until">, now: number): string {
  return seal(key, "consent", JSON.stringify({ ...value, until: now + LOGIN_TTL_MS }));
}

export function openConsent(key: Buffer, sealed: string, now: number): Consent | undefined {
  return unsealRecord(consent, unseal(key, "consent", sealed), now);
}

/** The cookie name separates logins in two tabs. */
export function cookieName(state: string, isSecure: boolean): string {
  return `${isSecure ? "__Host-" : ""}cairn-login-${digest(state).slice(0, 16)}`;
}

export function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

function unsealRecord<Value extends { until: number }>(
  schema: z.ZodType<Value>,
  text: string | undefined,
  now: number,
): Value | undefined {
  const value = text === undefined ? undefined : schema.safeParse(JSON.parse(text)).data;
  return value !== undefined && value.until > now ? value : undefined;
}

const granted = z.object({
  client: z.string(),
  person: z.string(),
  scope: z.enum(ACCESS_SCOPES),
  resource: z.string().optional(),
  redirectUri: z.string().optional(),
  challenge: z.string().optional(),
  upstream: z.string().optional(),
});

export type GrantedCode = z.output<typeof granted>;

const codeRecord = z.object({
  granted: granted.optional(),
  /** The session it was exchanged for. */
  session: z.string().optional(),
  until: z.string(),
});

const RECORD_KIND = "code";
const UPSTREAM_PURPOSE = "upstream of a code";
const CODE_TTL_MS = 60_000;
const DEVICE_CODE_TTL_MS = 10 * 60_000;
/** Retention of used codes, to detect a replay. */
const USED_CODE_RETENTION_MS = 10 * 60_000;

export class Codes {
  readonly #records: StoredRecords;
  readonly #clock: Clock;

  constructor(records: StoredRecords, clock: Clock) {
    this.#records = records;
    this.#clock = clock;
  }

  async issue(granted: GrantedCode): Promise<string> {
    const code = randomBytes(32).toString("base64url");
    await this.#store(code, granted, CODE_TTL_MS);
    return code;
  }

  allow(userCode: string, granted: GrantedCode): Promise<void> {
    return this.#store(`device:${userCode}`, granted, DEVICE_CODE_TTL_MS);
  }

  /**
   * Consumes a code; `begin` names the resulting session. Returns undefined for an unknown code or
   * if `isFor` rejects it. Throws OAuthError with the session to end if the code was already used.
   */
  async take(
    code: string,
    isFor: (granted: GrantedCode) => boolean,
  ): Promise<
    | { granted: GrantedCode; note: (session: string) => Promise<void> }
    | { used: string | undefined }
    | undefined
  > {
    const id = digest(code);
    const now = this.#clock.now().getTime();
    let found: GrantedCode | undefined;
    let used: { readonly session: string | undefined } | undefined;
    await this.#records.change(RECORD_KIND, id, (before) => {
      const record = before === undefined ? undefined : codeRecord.parse(before);
      if (record === undefined || Date.parse(record.until) <= now) return undefined;
      if (record.granted === undefined) {
        used = { session: record.session };
        return record;
      }
      // An invalid proof consumes the code too: there is one attempt.
      if (isFor(record.granted)) found = record.granted;
      return { until: new Date(now + USED_CODE_RETENTION_MS).toISOString() };
    });
    if (used !== undefined) return { used: used.session };
    if (found === undefined) return undefined;
    const { upstream: sealed, ...rest } = found;
    const upstream = sealed === undefined ? undefined : unseal(code, UPSTREAM_PURPOSE, sealed);
    return {
      granted: { ...rest, ...(upstream !== undefined && { upstream }) },
      note: (session) =>
        this.#records.change(RECORD_KIND, id, (before) =>
          before === undefined ? undefined : { ...codeRecord.parse(before), session },
        ),
    };
  }

  async #store(code: string, { upstream, ...what }: GrantedCode, lastsMs: number): Promise<void> {
    const sealed =
      upstream === undefined ? {} : { upstream: seal(code, UPSTREAM_PURPOSE, upstream) };
    const until = new Date(this.#clock.now().getTime() + lastsMs).toISOString();
    await this.#records.change(RECORD_KIND, digest(code), () => ({
      granted: { ...what, ...sealed },
      until,
    }));
  }
}

/** Verifies a PKCE verifier against its S256 challenge. Throws OAuthError. */
export function isProof(verifier: string, challenge: string | undefined): boolean {
  if (!/^[\w.~-]{43,128}$/.test(verifier)) return false;
  return createHash("sha256").update(verifier).digest("base64url") === challenge;
}

export function requireChallenge(
  challenge: string | undefined,
  method: string | undefined,
): string {
  if (challenge !== undefined && method === "S256" && /^[\w-]{43}$/.test(challenge))
    return challenge;
  throw new OAuthError(
    "invalid_request",
    "code_challenge: is required, with code_challenge_method S256",
  );
}
