import { CairnError } from "./errors.ts";

/**
 * Scope of a token or a role. Each scope includes all scopes before it. `approve` opens nothing of the memory: with
 * it a device answers what an agent asks and stops its runs.
 */
export const ACCESS_SCOPES = [
  "approve",
  "metrics",
  "read",
  "propose",
  "write",
  "decide",
  "admin",
] as const;

export type AccessScope = (typeof ACCESS_SCOPES)[number];

/** Scopes that concern the memory: roles, and what a client asks for at a log-in. */
export const MEMORY_SCOPES = ACCESS_SCOPES.filter((scope) => scope !== "approve");

export interface Caller {
  /** Name of the token or person; undefined for a caller whom the server treats as its owner. */
  readonly name: string | undefined;
  readonly scope: AccessScope;
  /** The only databases that exist for the caller; undefined: all. */
  readonly databases?: readonly string[] | undefined;
  /** Scopes in single databases that exceed `scope`. */
  readonly within?: Readonly<Record<string, AccessScope>> | undefined;
  readonly by?: "token" | "role" | undefined;
  readonly limits?: CallerLimits | undefined;
  /** Counts writes that are about to be made. Throws OverLimit. */
  readonly countWrites?: ((writes: number) => Promise<void>) | undefined;
}

export const OWNER: Caller = { name: undefined, scope: "admin" };

/** The caller's scope in this database. `mayOpen` checks whether they can open it at all. */
export function scopeIn({ scope, within }: Caller, database: string): AccessScope {
  return within !== undefined && Object.hasOwn(within, database)
    ? higherScope(scope, within[database] ?? scope)
    : scope;
}

export function higherScope(a: AccessScope, b: AccessScope): AccessScope {
  return rank(a) >= rank(b) ? a : b;
}

export function lowerScope(a: AccessScope, b: AccessScope): AccessScope {
  return rank(a) >= rank(b) ? b : a;
}

function rank(scope: AccessScope): number {
  return ACCESS_SCOPES.indexOf(scope);
}

/** True if the caller has this scope in `database`, or in all that they open if none is given. */
export function allows(caller: Caller, needed: AccessScope, database?: string): boolean {
  const scope = database === undefined ? caller.scope : scopeIn(caller, database);
  return rank(scope) >= rank(needed);
}

/** True if the caller has this scope in any database. */
export function allowsSomewhere(caller: Caller, needed: AccessScope): boolean {
  return [caller.scope, ...Object.values(caller.within ?? {})].some(
    (scope) => rank(scope) >= rank(needed),
  );
}

export function requireScope(
  caller: Caller,
  needed: AccessScope,
  what: string,
  database?: string,
): void {
  if (!allows(caller, needed, database)) throw needsScope(caller, needed, what, database);
}

export function requireScopeSomewhere(caller: Caller, needed: AccessScope, what: string): void {
  if (!allowsSomewhere(caller, needed)) throw needsScope(caller, needed, what);
}

function needsScope(
  caller: Caller,
  needed: AccessScope,
  what: string,
  database?: string,
): CairnError {
  const has = database === undefined ? caller.scope : scopeIn(caller, database);
  if (caller.by === "role") {
    const where = database === undefined ? "" : ` --in ${database}`;
    return new CairnError(
      "forbidden",
      `${what} requires the role ${needed}; ${nameOf(caller)} has ${isNobody(caller) ? "none" : has}. ` +
        `Ask an administrator to run: cairn access grant --person ${nameOf(caller)} --role ${needed}${where}.`,
    );
  }
  return new CairnError(
    "forbidden",
    `${what} requires the scope ${needed}; the token of ${nameOf(caller)} has ${has}. ` +
      `Ask an administrator to run: cairn token create NAME --scope ${needed}.`,
  );
}

function isNobody({ databases }: Caller): boolean {
  return databases?.length === 0;
}

export function mayOpen({ databases }: Caller, database: string): boolean {
  return databases === undefined || databases.includes(database);
}

export function requireDatabase(caller: Caller, database: string): void {
  if (mayOpen(caller, database)) return;
  if (caller.by === "role") {
    throw new CairnError(
      "forbidden",
      `db: ${nameOf(caller)} has no role in this database${opened(caller)}. Ask an administrator to run: ` +
        `cairn access grant --person ${nameOf(caller)} --role read --in NAME.`,
    );
  }
  throw new CairnError(
    "forbidden",
    `db: the token of ${nameOf(caller)} is limited to ${caller.databases?.join(", ")}. Name one of these, ` +
      "or ask for another token: cairn token create NAME --databases A,B.",
  );
}

function opened({ databases = [] }: Caller): string {
  return databases.length === 0 ? "" : `, only in ${databases.join(", ")}`;
}

export function requireEveryDatabase(caller: Caller, what: string): void {
  if (caller.databases === undefined) return;
  if (caller.by === "role") {
    throw new CairnError(
      "forbidden",
      `${what} affects every database, but ${nameOf(caller)} has no role in all of them. ` +
        "Ask an administrator to run `cairn access grant` without --in.",
    );
  }
  throw new CairnError(
    "forbidden",
    `${what} affects every database, but the token of ${nameOf(caller)} is limited to ` +
      `${caller.databases.join(", ")}. Ask for a token without --databases.`,
  );
}

export function isSameCaller(a: Caller, b: Caller): boolean {
  const rights = ({ name, scope, databases, within }: Caller) =>
    JSON.stringify([name, scope, databases, within]);
  return rights(a) === rights(b);
}

function nameOf({ name }: Caller): string {
  return name ?? "the server";
}

export type CallerLimit = "requests_per_minute" | "writes_per_day";

/** Limits of a caller; undefined: unlimited. */
export type CallerLimits = Readonly<Partial<Record<CallerLimit, number | undefined>>>;

/**
 * The caller has had as much as they may for now. It is a `busy` for which HTTP has a status of its own:
 * later the same request is answered.
 */
export class OverLimit extends CairnError {
  readonly limit: CallerLimit;
  readonly retryAfterSeconds: number;

  constructor(limit: CallerLimit, message: string, about: { most: number; retryAfter: number }) {
    const { most, retryAfter } = about;
    super("busy", message, { limit, most, retry_after_seconds: retryAfter });
    this.limit = limit;
    this.retryAfterSeconds = retryAfter;
  }
}
