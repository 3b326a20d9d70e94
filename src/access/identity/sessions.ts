import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import type { StoredRecords } from "../../database/index.ts";
import { ACCESS_SCOPES } from "../../shared/caller.ts";
import { type Clock, systemClock, toTimestamp } from "../../shared/clock.ts";
import { seal, unseal } from "./seal.ts";

const hashedToken = z.object({ hash: z.string(), until: z.string() });

const session = z.object({
  id: z.string(),
  person: z.string().optional(),
  client: z.object({ id: z.string(), name: z.string() }),
  scope: z.enum(ACCESS_SCOPES),
  resource: z.string().optional(),
  made_at: z.string(),
  ends_at: z.string(),
  access: z.array(hashedToken),
  refresh: z.string().optional(),
  used: z.array(z.object({ hash: z.string(), at: z.string() })),
  upstream: z.string().optional(),
});

export type Session = z.output<typeof session>;

export interface NewSession extends Pick<Session, "client" | "scope"> {
  readonly person: string;
  readonly resource?: string | undefined;
  readonly upstream?: string | undefined;
  readonly accessMs: number;
  readonly lastsMs: number;
  readonly isRenewable: boolean;
}

export interface IssuedTokens {
  readonly session: Session;
  readonly access: string;
  readonly refresh: string | undefined;
  readonly expiresInSeconds: number;
}

export type Renewal =
  | { readonly kind: "renewed"; readonly tokens: IssuedTokens }
  | { readonly kind: "refused" };

const SESSION_KIND = "session";
const TOKEN_PATTERN = /^cairn_([sr])_([0-9a-f]{32}\.[0-9a-f]{16})_([\w-]{43})$/;
const UPSTREAM_PURPOSE = "upstream of a session";
/** Grace period in which a renewal may be repeated after a lost response. */
const RENEWAL_GRACE_MS = 10_000;
/** Maximum concurrent access tokens per session, and remembered refresh tokens. */
const MAX_ACCESS = 2;
const MAX_USED = 50;

/** Checks the form only; performs no lookup. */
export function isSessionToken(text: string): boolean {
  return text.startsWith("cairn_s_");
}

/** Login sessions. Tokens are stored as hashes and name their session, so one lookup finds it. */
export class Sessions {
  readonly #records: StoredRecords;
  readonly #clock: Clock;

  constructor(records: StoredRecords, clock: Clock = systemClock) {
    this.#records = records;
    this.#clock = clock;
  }

  async begin(session: NewSession): Promise<IssuedTokens> {
    const now = this.#now();
    const id = `${session.person}.${randomBytes(8).toString("hex")}`;
    const refresh = session.isRenewable ? createSecret() : undefined;
    const newSession: Session = {
      id,
      person: session.person,
      client: session.client,
      scope: session.scope,
      ...(session.resource !== undefined && { resource: session.resource }),
      made_at: formatTime(now),
      ends_at: formatTime(now + session.lastsMs),
      access: [],
      used: [],
    };
    const issued = this.#issue(newSession, session.accessMs, refresh, session.upstream);
    await this.#records.change(SESSION_KIND, id, () => issued.session);
    return issued;
  }

  async ofAccess(token: string): Promise<Session | undefined> {
    const [, kind, id = "", secret = ""] = TOKEN_PATTERN.exec(token) ?? [];
    if (kind !== "s") return undefined;
    const found = await this.get(id);
    if (found === undefined || this.#isOver(found.ends_at)) return undefined;
    const hash = hashSecret(secret);
    const known = found.access.find((it) => isSameSecret(it.hash, hash));
    return known === undefined || this.#isOver(known.until) ? undefined : found;
  }

  async get(id: string): Promise<Session | undefined> {
    return readSession(await this.#records.get(SESSION_KIND, id));
  }

  async ofRefresh(
    token: string,
  ): Promise<{ session: Session; upstream: string | undefined } | undefined> {
    const [, kind, id = "", secret = ""] = TOKEN_PATTERN.exec(token) ?? [];
    if (kind !== "r") return undefined;
    const found = await this.get(id);
    if (found?.refresh === undefined || !isSameSecret(found.refresh, hashSecret(secret)))
      return undefined;
    const sealed = found.upstream;
    return {
      session: found,
      upstream: sealed === undefined ? undefined : unseal(secret, UPSTREAM_PURPOSE, sealed),
    };
  }

  /** Exchanges a refresh token once. A second use means that it was stolen and ends the session. */
  async renew(
    token: string,
    {
      clientId,
      accessMs,
      upstream,
    }: { clientId: string; accessMs: number; upstream?: string | undefined },
  ): Promise<Renewal> {
    const [, kind, id = "", secret = ""] = TOKEN_PATTERN.exec(token) ?? [];
    if (kind !== "r") return { kind: "refused" };
    const hash = hashSecret(secret);
    let tokens: IssuedTokens | undefined;
    await this.#records.change(SESSION_KIND, id, (before) => {
      const found = readSession(before);
      if (found === undefined || this.#isOver(found.ends_at)) return undefined;
      if (found.client.id !== clientId) return found;
      if (found.refresh === undefined || !isSameSecret(found.refresh, hash)) {
        const used = found.used.find((it) => isSameSecret(it.hash, hash));
        const isStolen = used !== undefined && this.#now() - Date.parse(used.at) > RENEWAL_GRACE_MS;
        return isStolen ? undefined : found;
      }
      const used = [...found.used, { hash, at: formatTime(this.#now()) }].slice(-MAX_USED);
      tokens = this.#issue({ ...found, used }, accessMs, createSecret(), upstream);
      return tokens.session;
    });
    return tokens === undefined ? { kind: "refused" } : { kind: "renewed", tokens };
  }

  async end(id: string): Promise<void> {
    if (/^[0-9a-f]{32}\.[0-9a-f]{16}$/.test(id))
      await this.#records.change(SESSION_KIND, id, () => undefined);
  }

  async endOf(person: string): Promise<number> {
    const records = await this.#records.list(SESSION_KIND, { prefix: `${person}.` });
    for (const { id } of records) await this.end(id);
    return records.length;
  }

  async endByToken(token: string, clientId: string): Promise<void> {
    const [, , id = "", secret = ""] = TOKEN_PATTERN.exec(token) ?? [];
    const found = id === "" ? undefined : await this.get(id);
    if (found === undefined || found.client.id !== clientId) return;
    const hash = hashSecret(secret);
    const known = [found.refresh ?? "", ...found.access.map((it) => it.hash)];
    if (known.some((it) => isSameSecret(it, hash))) await this.end(id);
  }

  async list(): Promise<Session[]> {
    return (await this.#records.list(SESSION_KIND)).flatMap(
      ({ value }) => readSession(value) ?? [],
    );
  }

  async listOf(person: string): Promise<Session[]> {
    const records = await this.#records.list(SESSION_KIND, { prefix: `${person}.` });
    return records.flatMap(({ value }) => readSession(value) ?? []);
  }

  async sweep(): Promise<void> {
    for (const { id, ends_at: end } of await this.list()) {
      if (this.#isOver(end)) await this.end(id);
    }
  }

  #issue(
    before: Session,
    accessMs: number,
    refresh: string | undefined,
    upstream: string | undefined,
  ): IssuedTokens {
    const { refresh: _refresh, upstream: _upstream, ...rest } = before;
    const secret = createSecret();
    const end = Math.min(this.#now() + accessMs, Date.parse(before.ends_at));
    const fresh = { hash: hashSecret(secret), until: formatTime(end) };
    const session: Session = {
      ...rest,
      access: [...before.access.filter((it) => !this.#isOver(it.until)), fresh].slice(-MAX_ACCESS),
      ...(refresh !== undefined && { refresh: hashSecret(refresh) }),
      ...(refresh !== undefined &&
        upstream !== undefined && { upstream: seal(refresh, UPSTREAM_PURPOSE, upstream) }),
    };
    return {
      session,
      access: `cairn_s_${before.id}_${secret}`,
      refresh: refresh === undefined ? undefined : `cairn_r_${before.id}_${refresh}`,
      expiresInSeconds: Math.max(1, Math.floor((end - this.#now()) / 1000)),
    };
  }

  #now(): number {
    return this.#clock.now().getTime();
  }

  #isOver(end: string): boolean {
    return Date.parse(end) <= this.#now();
  }
}

function createSecret(): string {
  return randomBytes(32).toString("base64url");
}

function hashSecret(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}

function isSameSecret(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
}

function formatTime(ms: number): string {
  return toTimestamp(new Date(ms));
}

function readSession(value: object | undefined): Session | undefined {
  return value === undefined ? undefined : session.parse(value);
}
