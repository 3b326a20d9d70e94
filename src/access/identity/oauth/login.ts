import { createHash, randomBytes } from "node:crypto";
import { z } from "zod";
import { ACCESS_SCOPES } from "../../../shared/caller.ts";
import { seal, unseal } from "../seal.ts";

const asked = z.object({
  client: z.string(),
  scope: z.enum(ACCESS_SCOPES),
  /** The part of the server that it is for; undefined: all of it. */
  resource: z.string().optional(),
  redirect: z
    .object({ uri: z.string(), state: z.string().optional(), challenge: z.string() })
    .optional(),
  userCode: z.string().optional(),
});

export type Asked = z.output<typeof asked>;

const login = z.object({
  asked,
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  until: z.number(),
});

const consent = z.object({
  asked,
  person: z.string(),
  upstream: z.string().optional(),
  /** Digest of the cookie of the browser that logged in. */
  browser: z.string(),
  state: z.string(),
  until: z.number(),
});

export type Login = z.output<typeof login>;
export type Consent = z.output<typeof consent>;

/** How long a person may take; milliseconds. */
const PERSON_MS = 10 * 60_000;

/**
 * A log-in that goes on at the provider. It is kept in the browser that began it, sealed: nobody
 * fills the store by beginning some, and another browser cannot end it.
 */
export function beginLogin(about: Asked, now: number): Login {
  const secret = () => randomBytes(32).toString("base64url");
  return {
    asked: about,
    state: secret(),
    nonce: secret(),
    verifier: secret(),
    until: now + PERSON_MS,
  };
}

export function sealLogin(key: Buffer, value: Login): string {
  return seal(key, "login", JSON.stringify(value));
}

export function openLogin(key: Buffer, sealed: string, now: number): Login | undefined {
  return opened(login, unseal(key, "login", sealed), now);
}

export function sealConsent(key: Buffer, value: Omit<Consent, "until">, now: number): string {
  return seal(key, "consent", JSON.stringify({ ...value, until: now + PERSON_MS }));
}

export function openConsent(key: Buffer, sealed: string, now: number): Consent | undefined {
  return opened(consent, unseal(key, "consent", sealed), now);
}

/** The name of the cookie tells log-ins in two tabs apart. */
export function cookieName(state: string, isSecure: boolean): string {
  return `${isSecure ? "__Host-" : ""}cairn-login-${digest(state).slice(0, 16)}`;
}

export function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

function opened<Value extends { until: number }>(
  schema: z.ZodType<Value>,
  text: string | undefined,
  now: number,
): Value | undefined {
  const value = text === undefined ? undefined : schema.safeParse(JSON.parse(text)).data;
  return value !== undefined && value.until > now ? value : undefined;
}
