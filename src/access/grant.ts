import { timingSafeEqual } from "node:crypto";
import { z } from "zod";
import type { StoredToken, StoredTokens } from "../database/index.ts";
import { ACCESS_SCOPES, type AccessScope, type Caller } from "../shared/caller.ts";
import { type Clock, systemClock } from "../shared/clock.ts";
import { tokenHash } from "./token-text.ts";

export interface Grant {
  readonly scope: AccessScope;
  readonly databases?: readonly string[] | undefined;
  readonly expires_at?: string | undefined;
  /** Undefined: the server's default. */
  readonly requests_per_minute?: number | undefined;
}

const LIMITED_SCOPE = "limited";

const scope = z.enum(ACCESS_SCOPES);

/** Strict: an unknown limit from a newer version rejects the token. */
const limits = z.strictObject({
  scope,
  databases: z.array(z.string()).min(1).optional(),
  expires_at: z.iso.datetime().optional(),
  requests_per_minute: z.number().int().min(1).optional(),
  /** No longer a limit; tokens of earlier versions may have it. */
  writes_per_day: z.number().optional(),
});

export function formatStoredGrant(grant: Grant): Pick<StoredToken, "scope" | "limits"> {
  const narrowed = Object.entries(grant).filter(
    ([field, value]) => field !== "scope" && value !== undefined,
  );
  if (narrowed.length === 0) return { scope: grant.scope };
  return { scope: LIMITED_SCOPE, limits: { scope: grant.scope, ...Object.fromEntries(narrowed) } };
}

/** Returns undefined for a token of a newer version, which is then rejected. */
export function parseGrant({ scope: scopes, limits: narrowed }: StoredToken): Grant | undefined {
  if (scopes === LIMITED_SCOPE) return limits.safeParse(narrowed).data;
  const known = scope.safeParse(scopes).data;
  return known === undefined || narrowed !== undefined ? undefined : { scope: known };
}

export function hasExpired({ expires_at: end }: Grant, now: Date): boolean {
  return end !== undefined && Date.parse(end) <= now.getTime();
}

/** Cache lifetime, after which tokens made or revoked by other processes are reloaded. */
const CACHE_TTL_MS = 1_000;

/** Minimum interval between two records of a token's use. */
const LAST_USED_INTERVAL_MS = 300_000;

interface Holder {
  readonly caller: Caller;
  readonly grant: Grant;
  readonly hash: Buffer;
}

interface CachedHolders {
  readonly at: number;
  readonly isClosed: boolean;
  readonly holders: readonly Holder[];
}

export class TokenHolders {
  readonly #stored: StoredTokens;
  readonly #now: () => number;
  readonly #clock: Clock;
  #loaded: CachedHolders | undefined;
  #loading: Promise<CachedHolders> | undefined;
  readonly #onWriteError: (error: unknown) => void;
  readonly #lastWrittenAt = new Map<string, number>();

  constructor(
    tokens: StoredTokens,
    onWriteError: (error: unknown) => void,
    now: () => number = () => performance.now(),
    clock: Clock = systemClock,
  ) {
    this.#clock = clock;
    this.#stored = tokens;
    this.#now = now;
    this.#onWriteError = onWriteError;
  }

  async isClosed(): Promise<boolean> {
    return (await this.#current()).isClosed;
  }

  /** An unknown token may have been created just now, so reload once. */
  async holderOf(token: string): Promise<Caller | undefined> {
    const hash = tokenHash(token);
    const holder =
      findHolder((await this.#current()).holders, hash) ??
      findHolder((await this.#load()).holders, hash);
    if (holder === undefined || hasExpired(holder.grant, this.#clock.now())) return undefined;
    this.#noteUse(holder);
    return holder.caller;
  }

  #noteUse({ caller: { name }, hash }: Holder): void {
    if (name === undefined) return;
    const key = hash.toString("hex");
    const before = this.#lastWrittenAt.get(key);
    if (before !== undefined && this.#now() - before < LAST_USED_INTERVAL_MS) return;
    this.#lastWrittenAt.set(key, this.#now());
    void this.#stored.noteUse(name).catch(this.#onWriteError);
  }

  #current(): Promise<CachedHolders> {
    const isFresh = this.#loaded !== undefined && this.#now() - this.#loaded.at < CACHE_TTL_MS;
    return isFresh && this.#loaded !== undefined ? Promise.resolve(this.#loaded) : this.#load();
  }

  /** Concurrent callers share one load. */
  #load(): Promise<CachedHolders> {
    this.#loading ??= this.#read().finally(() => {
      this.#loading = undefined;
    });
    return this.#loading;
  }

  async #read(): Promise<CachedHolders> {
    const at = this.#now();
    const [tokens, isClosed] = await Promise.all([this.#stored.list(), this.#stored.isClosed()]);
    const holders = tokens.flatMap((token) => {
      const grant = parseGrant(token);
      if (grant === undefined) return [];
      const { scope, databases, requests_per_minute: requestsPerMinute } = grant;
      const caller = {
        name: token.name,
        scope,
        ...(databases !== undefined && { databases }),
        ...(requestsPerMinute !== undefined && { requestsPerMinute }),
      };
      return [{ caller, grant, hash: Buffer.from(token.hash, "hex") }];
    });
    this.#loaded = { at, isClosed, holders };
    return this.#loaded;
  }
}

/** Compares against every holder so that timing reveals nothing. */
function findHolder(holders: readonly Holder[], hash: Buffer): Holder | undefined {
  let found: Holder | undefined;
  for (const holder of holders) {
    if (timingSafeEqual(holder.hash, hash)) found = holder;
  }
  return found;
}

/**
 * Admits tokens of scope `approve` to an agent server, where they answer permission requests and
 * stop runs. Tokens of other scopes concern the memory and are rejected.
 */
export class ApproveHolders {
  readonly #holders: Pick<TokenHolders, "holderOf">;

  constructor(holders: Pick<TokenHolders, "holderOf">) {
    this.#holders = holders;
  }

  async isClosed(): Promise<boolean> {
    return false;
  }

  async holderOf(token: string): Promise<Caller | undefined> {
    const caller = await this.#holders.holderOf(token);
    return caller?.scope === "approve" ? caller : undefined;
  }
}
