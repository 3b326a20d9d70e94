import type { StoredToken, StoredTokens } from "../database/index.ts";
import type { AccessScope } from "../shared/caller.ts";
import { type Clock, systemClock, toTimestamp } from "../shared/clock.ts";
import { invalidInput, notFound, stateConflict } from "../shared/errors.ts";
import { formatStoredGrant, type Grant, hasExpired, parseGrant } from "./grant.ts";
import { createTokenText, tokenHash } from "./token-text.ts";

const UNIT_DURATIONS_MS = { h: 3_600_000, d: 86_400_000 } as const;

/** Returns the expiry of a token created with `--expires 30d`. Throws invalid_input. */
function tokenExpiry(expires: string, now: Date): string {
  const [, count = "", unit = ""] = /^([1-9]\d{0,4})([hd])$/.exec(expires) ?? [];
  const unitMs = unit === "h" || unit === "d" ? UNIT_DURATIONS_MS[unit] : undefined;
  if (unitMs === undefined) {
    throw invalidInput("expires: must be a number of hours or days, such as 12h or 30d");
  }
  return toTimestamp(new Date(now.getTime() + Number(count) * unitMs));
}

const TOKEN_NAME_PATTERN = /^[A-Za-z0-9][A-Za-z0-9._@-]{0,63}$/;

/** Reserved author names of changes made without a token. */
const RESERVED_NAMES: readonly string[] = ["cli", "rest", "mcp", "agent", "library", "retention"];

function requireTokenName(name: string): void {
  if (!TOKEN_NAME_PATTERN.test(name)) {
    throw invalidInput(
      "name: must be 1 to 64 letters, digits, dots, underscores, hyphens or @, and start with a letter or digit",
    );
  }
  if (RESERVED_NAMES.includes(name.toLowerCase())) {
    throw invalidInput(
      `name: "${name}" is reserved for changes made without a token; choose another name`,
    );
  }
}

export interface TokenRecord extends Omit<StoredToken, "hash" | "limits" | "scope">, ShownGrant {
  /** Accurate to a few minutes; undefined if never used. */
  readonly used_at?: string | undefined;
}

type ShownGrant = Omit<Grant, "scope"> & { readonly scope: string };

export interface TokenLimits {
  readonly databases?: readonly string[] | undefined;
  /** Hours or days from now: `12h`, `30d`. */
  readonly expires?: string | undefined;
  readonly requests_per_minute?: number | undefined;
}

export interface NewToken extends TokenRecord {
  readonly token: string;
}

export class PeopleTokens {
  readonly #stored: StoredTokens;
  readonly #clock: Clock;

  constructor(tokens: StoredTokens, clock: Clock = systemClock) {
    this.#stored = tokens;
    this.#clock = clock;
  }

  /** Throws invalid_input for an invalid name, conflict for a name in use. */
  async create(
    name: string,
    scope: AccessScope,
    { databases, expires, ...quotas }: TokenLimits = {},
  ): Promise<NewToken> {
    requireTokenName(name);
    requireOpenable(scope, databases);
    const now = this.#clock.now();
    const end = expires === undefined ? undefined : tokenExpiry(expires, now);
    const grant = formatStoredGrant({ scope, databases, expires_at: end, ...quotas });
    const token = createTokenText();
    const created = { name, ...grant, hash: hashToken(token), created_at: toTimestamp(now) };
    await this.#stored.add(created);
    return { ...toRecord(created), token };
  }

  /**
   * Replaces the token's text; preserves its rights, and its expiry unless `expires` is given.
   * Servers reject the old text within a second. Throws invalid_input, not_found and conflict.
   */
  async rotate(name: string, { expires }: Pick<TokenLimits, "expires"> = {}): Promise<NewToken> {
    requireTokenName(name);
    const now = this.#clock.now();
    const existing = (await this.#stored.list()).find((it) => isNamed(it, name));
    if (existing === undefined) {
      throw notFound(`There is no token "${name}". \`cairn token list\` lists them.`);
    }
    const before = parseGrant(existing);
    if (before === undefined) {
      throw stateConflict(
        `The token of ${name} was created by a newer version of cairn. Rotate it with that version.`,
      );
    }
    const grant =
      expires === undefined ? before : { ...before, expires_at: tokenExpiry(expires, now) };
    if (hasExpired(grant, now)) {
      throw stateConflict(
        `The token of ${name} has expired. Set the lifetime of the new one, such as --expires 30d.`,
      );
    }
    const token = createTokenText();
    const { limits: _before, ...rest } = existing;
    const rotated = {
      ...rest,
      ...formatStoredGrant(grant),
      hash: hashToken(token),
      rotated_at: toTimestamp(now),
    };
    await this.#stored.replace(rotated);
    return { ...toRecord(rotated), token };
  }

  async list(): Promise<TokenRecord[]> {
    const [tokens, uses] = await Promise.all([this.#stored.list(), this.#stored.lastUses()]);
    return tokens.map((token) => {
      const used = uses.get(token.name.toLowerCase());
      // A server may have recorded a use of a former token of this name after it was revoked.
      const isOfThis = used !== undefined && used >= token.created_at;
      return { ...toRecord(token), ...(isOfThis && { used_at: used }) };
    });
  }

  /**
   * Servers reject it within a second but still require a token. Throws invalid_input and
   * not_found.
   */
  async revoke(name: string): Promise<void> {
    requireTokenName(name);
    await this.#stored.remove(name);
  }

  isClosed(): Promise<boolean> {
    return this.#stored.isClosed();
  }

  /**
   * Allows access without a token. Throws conflict while tokens exist or a reachable server runs.
   */
  async reopen(): Promise<void> {
    const names = (await this.#stored.list()).map(({ name }) => name);
    if (names.length > 0) {
      throw stateConflict(
        `Tokens exist (${names.join(", ")}). Revoke them first, because open servers ignore tokens.`,
      );
    }
    if ((await this.#stored.countServers()) > 0) {
      throw stateConflict(
        "A running server is reachable from other machines and would accept them without a token. Stop it first. A killed server is removed from the list within a minute.",
      );
    }
    await this.#stored.reopen();
  }
}

function toRecord({ hash, limits, ...record }: StoredToken): TokenRecord {
  const grant = parseGrant({ ...record, limits, hash });
  return { ...record, ...grant };
}

function hashToken(token: string): string {
  return tokenHash(token).toString("hex");
}

function isNamed(token: StoredToken, name: string): boolean {
  return token.name.toLowerCase() === name.toLowerCase();
}

const DATABASE_NAME_PATTERN = /^[\w.-]{1,64}$/;

/** Throws invalid_input for databases to which a token cannot be restricted. */
function requireOpenable(scope: AccessScope, databases: readonly string[] | undefined): void {
  if (databases === undefined) return;
  const bad = databases.find((database) => !DATABASE_NAME_PATTERN.test(database));
  if (databases.length === 0 || bad !== undefined) {
    throw invalidInput(`databases: "${bad ?? ""}" is not a valid database name`);
  }
  if (scope === "metrics") {
    throw invalidInput(
      "databases: not allowed for this scope, because /metrics covers all databases",
    );
  }
  if (scope === "approve") {
    throw invalidInput(
      "databases: not allowed for the scope approve, which gives access to no database",
    );
  }
}
