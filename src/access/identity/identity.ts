import type { StoredRecords, StoredTokens } from "../../database/index.ts";
import type { Caller } from "../../shared/caller.ts";
import { type Clock, systemClock } from "../../shared/clock.ts";
import { invalidInput } from "../../shared/errors.ts";
import type { Logger } from "../../shared/logger.ts";
import {
  combineRights,
  narrowDatabases,
  type Rights,
  type RoleHolder,
  type RoleRecord,
  Roles,
} from "../index.ts";
import { type Claims, readClaims } from "./claims.ts";
import { isLocalAddress } from "./is-local-address.ts";
import { People, type Person } from "./people.ts";
import { CompanyProvider } from "./provider.ts";
import { isSessionToken, type Session, Sessions } from "./sessions.ts";
import type { IdentitySettings } from "./settings.ts";
import { TokenVerifier } from "./token-verifier.ts";

export interface IdentityOptions {
  readonly settings: IdentitySettings;
  readonly records: StoredRecords;
  readonly tokens: StoredTokens;
  readonly logger: Logger;
  readonly clock?: Clock | undefined;
  /** Lifetime of an access token. Default: 15 minutes. */
  readonly accessMs?: number | undefined;
  readonly fetch?: typeof globalThis.fetch | undefined;
}

export interface IdentityEndpoints {
  readonly url: string;
  readonly issuer: string;
}

/** Cache lifetime of changes made by other processes. */
const LOOKUP_TTL_MS = 1_000;
const MAX_LOOKUPS = 5_000;
const SWEEP_INTERVAL_MS = 15 * 60_000;
const ACCESS_TOKEN_TTL_MS = 15 * 60_000;
const JWT_PATTERN = /^[\w-]+\.[\w-]+\.[\w-]+$/;

interface CachedLookup {
  readonly at: number;
  readonly who: Promise<AuthorizedCaller | undefined>;
}

interface AuthorizedCaller {
  readonly caller: Caller;
  readonly resource: string | undefined;
}

export class Identity {
  readonly endpoints: IdentityEndpoints;
  readonly settings: IdentitySettings;
  /** Lifetime of an access token; renewal rechecks the user and groups at the provider. */
  readonly accessMs: number;
  readonly records: StoredRecords;
  readonly people: People;
  readonly sessions: Sessions;
  readonly provider: CompanyProvider;
  readonly verifier: TokenVerifier;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly #roles: Roles;
  readonly #lookedUp = new Map<string, CachedLookup>();
  #rules: { readonly at: number; readonly read: Promise<RoleRecord[]> } | undefined;
  readonly #sweeping: NodeJS.Timeout;

  constructor(location: IdentityEndpoints, options: IdentityOptions) {
    const { settings, records, tokens, logger, clock = systemClock, fetch } = options;
    this.endpoints = location;
    this.settings = settings;
    this.accessMs = options.accessMs ?? ACCESS_TOKEN_TTL_MS;
    this.records = records;
    this.clock = clock;
    this.logger = logger;
    this.people = new People(records, tokens, clock);
    this.sessions = new Sessions(records, clock);
    this.provider = new CompanyProvider({
      ...settings,
      issuer: location.issuer,
      redirectUrl: `${location.url}/oauth/callback`,
      fetch,
    });
    this.verifier = new TokenVerifier(fetch);
    this.#roles = new Roles(records, clock);
    this.#sweeping = setInterval(() => void this.#sweep(), SWEEP_INTERVAL_MS);
    this.#sweeping.unref();
  }

  /** Checks the token's form only; performs no lookup. */
  mayVerify(token: string): boolean {
    return (
      isSessionToken(token) || (this.settings.audience !== undefined && JWT_PATTERN.test(token))
    );
  }

  async holderOf(token: string, path: string): Promise<Caller | undefined> {
    const found = await this.#lookUp(token);
    if (found === undefined) return undefined;
    const { caller, resource } = found;
    return resource === undefined || isWithinResource(resource, `${this.endpoints.url}${path}`)
      ? caller
      : undefined;
  }

  /** Returns the user of verified claims. Throws forbidden and conflict. */
  arrive(claims: Claims): Promise<Person> {
    return this.people.arrive(claims);
  }

  async rightsOf(person: Person): Promise<Rights> {
    const roles = await this.#currentRoles();
    return combineRights(
      roles,
      [
        { kind: "person", name: person.name },
        { kind: "everyone", name: "" },
        ...person.claimed_groups.map((name): RoleHolder => ({ kind: "group", name })),
      ],
      person.own_database,
    );
  }

  /** Ends all sessions of a user; servers reject them within a second. */
  async logOut({ id }: Person): Promise<number> {
    this.#lookedUp.clear();
    return this.sessions.endOf(id);
  }

  close(): void {
    clearInterval(this.#sweeping);
  }

  #lookUp(token: string): Promise<AuthorizedCaller | undefined> {
    const known = this.#lookedUp.get(token);
    const now = performance.now();
    if (known !== undefined && now - known.at < LOOKUP_TTL_MS) return known.who;
    if (this.#lookedUp.size >= MAX_LOOKUPS) this.#lookedUp.clear();
    const caller = isSessionToken(token) ? this.#ofSession(token) : this.#ofProvider(token);
    this.#lookedUp.set(token, { at: now, who: caller });
    caller.catch(() => this.#lookedUp.delete(token));
    return caller;
  }

  async #ofSession(token: string): Promise<AuthorizedCaller | undefined> {
    const session = await this.sessions.ofAccess(token);
    if (session === undefined) return undefined;
    const caller = await this.#getCaller(session);
    return caller === undefined ? undefined : { caller, resource: session.resource };
  }

  async #getCaller({ person: id, scope: maxScope }: Session): Promise<Caller | undefined> {
    const person = id === undefined ? undefined : await this.people.get(id);
    if (person === undefined || !person.active) return undefined;
    return {
      name: person.name,
      by: "role",
      ...narrowDatabases(await this.rightsOf(person), { maxScope }),
    };
  }

  async #ofProvider(token: string): Promise<AuthorizedCaller | undefined> {
    const { audience } = this.settings;
    const { issuer } = this.endpoints;
    if (audience === undefined) return undefined;
    const claims = await this.verifier.verify(token, { issuer, audience });
    const person = await this.arrive(readClaims(claims, this.settings));
    return {
      caller: { name: person.name, by: "role", ...(await this.rightsOf(person)) },
      resource: undefined,
    };
  }

  #currentRoles(): Promise<RoleRecord[]> {
    const now = performance.now();
    if (this.#rules !== undefined && now - this.#rules.at < LOOKUP_TTL_MS) return this.#rules.read;
    const read = this.#roles.list();
    this.#rules = { at: now, read };
    read.catch(() => {
      this.#rules = undefined;
    });
    return read;
  }

  async #sweep(): Promise<void> {
    try {
      await this.sessions.sweep();
      for (const { id, value } of await this.records.list("code")) {
        const until = Date.parse(String(Reflect.get(value, "until")));
        if (until < this.clock.now().getTime())
          await this.records.change("code", id, () => undefined);
      }
    } catch (error) {
      this.logger.warn(`Expired logins could not be deleted: ${String(error)}`);
    }
  }
}

function isWithinResource(resource: string, address: string): boolean {
  return address === resource || address.startsWith(`${resource}/`);
}

/** Undefined without identity settings. Throws invalid_input if they are incomplete. */
export function identityEndpoints(settings: IdentitySettings): IdentityEndpoints | undefined {
  const { url, issuer, clientId, audience } = settings;
  if (issuer === undefined && clientId === undefined) return undefined;
  const missing = Object.entries({ url, issuer, clientId }).find(
    ([, value]) => value === undefined,
  );
  if (url === undefined || issuer === undefined || missing !== undefined) {
    throw invalidInput(
      `identity.${missing?.[0] ?? "url"}: is missing; login through an identity provider requires url, issuer and clientId`,
    );
  }
  for (const [name, address] of Object.entries({ url, issuer })) {
    if (address.startsWith("https:") || isLocalAddress(address)) continue;
    throw invalidInput(`identity.${name}: must begin with https://, unless the host is localhost`);
  }
  if (audience !== undefined && audience === clientId) {
    throw invalidInput(
      "identity.audience: must differ from clientId, because otherwise every ID token would be accepted as an access token",
    );
  }
  return { url: url.replace(/\/+$/, ""), issuer };
}
