import { timingSafeEqual } from "node:crypto";
import { z } from "zod";
import type { StoredToken, StoredTokens } from "../database/index.ts";
import { ACCESS_SCOPES, type AccessScope, type Caller } from "../shared/caller.ts";
import { type Clock, systemClock } from "../shared/clock.ts";
import { tokenHash } from "./token-text.ts";

export interface Grant {
  readonly scope: AccessScope;
  /** The only databases that it opens; undefined: all. */
  readonly databases?: readonly string[] | undefined;
  /** ISO 8601, UTC; undefined: until it is revoked. */
  readonly expires_at?: string | undefined;
  /** Most requests a minute; undefined: what the server lets everybody have. */
  readonly requests_per_minute?: number | undefined;
  /** Most writes a day; undefined: what the server lets everybody have. */
  readonly writes_per_day?: number | undefined;
}

const LIMITED = "limited";

const scope = z.enum(ACCESS_SCOPES);

/** Strict: a limit that this version does not know closes, too. */
const limits = z.strictObject({
  scope,
  databases: z.array(z.string()).min(1).optional(),
  expires_at: z.iso.datetime().optional(),
  requests_per_minute: z.number().int().min(1).optional(),
  writes_per_day: z.number().int().min(1).optional(),
});

/** The fields of a kept token that say what it grants. */
export function storedGrant(grant: Grant): Pick<StoredToken, "scope" | "limits"> {
  const narrowed = Object.entries(grant).filter(
    ([field, value]) => field !== "scope" && value !== undefined,
  );
  if (narrowed.length === 0) return { scope: grant.scope };
  return { scope: LIMITED, limits: { scope: grant.scope, ...Object.fromEntries(narrowed) } };
}

/** Undefined for a token of a newer version, which lets nobody in here. */
export function grantOf({ scope: kept, limits: narrowed }: StoredToken): Grant | undefined {
  if (kept === LIMITED) return limits.safeParse(narrowed).data;
  const known = scope.safeParse(kept).data;
  return known === undefined || narrowed !== undefined ? undefined : { scope: known };
}

export function isOver({ expires_at: end }: Grant, now: Date): boolean {
  return end !== undefined && Date.parse(end) <= now.getTime();
}

/** Milliseconds after which a token that another process made or revoked is read again. */
const FRESH_MS = 1_000;

/** A token's use is noted once in so long, however often it is brought; milliseconds. */
const NOTED_MS = 300_000;

interface Holder {
  readonly caller: Caller;
  readonly grant: Grant;
  readonly hash: Buffer;
}

interface Loaded {
  readonly at: number;
  readonly isClosed: boolean;
  readonly holders: readonly Holder[];
}

export class TokenHolders {
  readonly #kept: StoredTokens;
  readonly #now: () => number;
  readonly #clock: Clock;
  #loaded: Loaded | undefined;
  #loading: Promise<Loaded> | undefined;
  readonly #onNotNoted: (error: unknown) => void;
  /** When the use of a token was last noted, by its hash. */
  readonly #noted = new Map<string, number>();

  /** A use that cannot be recorded neither fails nor delays the request; `onNotNoted` gets the error. */
  constructor(
    kept: StoredTokens,
    onNotNoted: (error: unknown) => void,
    now: () => number = () => performance.now(),
    clock: Clock = systemClock,
  ) {
    this.#clock = clock;
    this.#kept = kept;
    this.#now = now;
    this.#onNotNoted = onNotNoted;
  }

  /** True if nobody comes in without a token: since there was one, also when none is left. */
  async isClosed(): Promise<boolean> {
    return (await this.#current()).isClosed;
  }

  /** A token that is not known yet may have been made this moment. */
  async holderOf(token: string): Promise<Caller | undefined> {
    const hash = tokenHash(token);
    const holder =
      find((await this.#current()).holders, hash) ?? find((await this.#load()).holders, hash);
    if (holder === undefined || isOver(holder.grant, this.#clock.now())) return undefined;
    this.#noteUse(holder);
    return holder.caller;
  }

  #noteUse({ caller: { name }, hash }: Holder): void {
    if (name === undefined) return;
    const key = hash.toString("hex");
    const before = this.#noted.get(key);
    if (before !== undefined && this.#now() - before < NOTED_MS) return;
    this.#noted.set(key, this.#now());
    void this.#kept.noteUse(name).catch(this.#onNotNoted);
  }

  #current(): Promise<Loaded> {
    const isFresh = this.#loaded !== undefined && this.#now() - this.#loaded.at < FRESH_MS;
    return isFresh && this.#loaded !== undefined ? Promise.resolve(this.#loaded) : this.#load();
  }

  /** Once for all who ask meanwhile. */
  #load(): Promise<Loaded> {
    this.#loading ??= this.#read().finally(() => {
      this.#loading = undefined;
    });
    return this.#loading;
  }

  async #read(): Promise<Loaded> {
    const at = this.#now();
    const [kept, isClosed] = await Promise.all([this.#kept.list(), this.#kept.isClosed()]);
    const holders = kept.flatMap((token) => {
      const grant = grantOf(token);
      if (grant === undefined) return [];
      const { scope, databases, requests_per_minute, writes_per_day } = grant;
      const limits = { requests_per_minute, writes_per_day };
      const isLimited = Object.values(limits).some((limit) => limit !== undefined);
      const caller = {
        name: token.name,
        scope,
        ...(databases !== undefined && { databases }),
        ...(isLimited && { limits }),
      };
      return [{ caller, grant, hash: Buffer.from(token.hash, "hex") }];
    });
    this.#loaded = { at, isClosed, holders };
    return this.#loaded;
  }
}

/** Compares with all of them, so that the time tells nothing of any. */
function find(holders: readonly Holder[], hash: Buffer): Holder | undefined {
  let found: Holder | undefined;
  for (const holder of holders) {
    if (timingSafeEqual(holder.hash, hash)) found = holder;
  }
  return found;
}

/**
 * Admits tokens of the scope `approve` to a server of the agent: such a device answers permission questions and
 * stops runs. Tokens of other scopes concern the memory and open nothing here.
 */
export class ApproveHolders {
  readonly #holders: Pick<TokenHolders, "holderOf">;

  constructor(holders: Pick<TokenHolders, "holderOf">) {
    this.#holders = holders;
  }

  /** These tokens close no server: whether it needs a token is a setting of its own. */
  async isClosed(): Promise<boolean> {
    return false;
  }

  async holderOf(token: string): Promise<Caller | undefined> {
    const caller = await this.#holders.holderOf(token);
    return caller?.scope === "approve" ? caller : undefined;
  }
}
