import { CairnError } from "./errors.ts";

/**
 * Scopes of tokens and roles; each includes all before it. `approve` gives no access to memory: it
 * lets a device answer an agent's permission requests and stop its runs.
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

/** Scopes for roles and logins. */
export const MEMORY_SCOPES = ACCESS_SCOPES.filter((scope) => scope !== "approve");

export interface Caller {
  /** Token or user name; undefined for the server's owner. */
  readonly name: string | undefined;
  readonly scope: AccessScope;
  /** Databases visible to the caller; undefined for all. */
  readonly databases?: readonly string[] | undefined;
  /** Scopes in single databases, if higher than `scope`. */
  readonly within?: Readonly<Record<string, AccessScope>> | undefined;
  readonly by?: "token" | "role" | undefined;
  /** The token's own limit; undefined: the server's. */
  readonly requestsPerMinute?: number | undefined;
}

export const OWNER: Caller = { name: undefined, scope: "admin" };

/** Returns the scope in a database. Check access with `mayOpen` first. */
export function findScope({ scope, within }: Caller, database: string): AccessScope {
  return within !== undefined && Object.hasOwn(within, database)
    ? higherScope(scope, within[database] ?? scope)
    : scope;
}

export function higherScope(a: AccessScope, b: AccessScope): AccessScope {
  return scopeRank(a) >= scopeRank(b) ? a : b;
}

export function lowerScope(a: AccessScope, b: AccessScope): AccessScope {
  return scopeRank(a) >= scopeRank(b) ? b : a;
}

function scopeRank(scope: AccessScope): number {
  return ACCESS_SCOPES.indexOf(scope);
}

/** True if the caller has the scope in `database`, or by default in all accessible databases. */
export function allows(caller: Caller, needed: AccessScope, database?: string): boolean {
  const scope = database === undefined ? caller.scope : findScope(caller, database);
  return scopeRank(scope) >= scopeRank(needed);
}

export function allowsSomewhere(caller: Caller, needed: AccessScope): boolean {
  return [caller.scope, ...Object.values(caller.within ?? {})].some(
    (scope) => scopeRank(scope) >= scopeRank(needed),
  );
}

export function requireScope(
  caller: Caller,
  needed: AccessScope,
  action: string,
  database?: string,
): void {
  if (!allows(caller, needed, database)) throw missingScopeError(caller, needed, action, database);
}

export function requireScopeSomewhere(caller: Caller, needed: AccessScope, action: string): void {
  if (!allowsSomewhere(caller, needed)) throw missingScopeError(caller, needed, action);
}

function missingScopeError(
  caller: Caller,
  needed: AccessScope,
  action: string,
  database?: string,
): CairnError {
  const has = database === undefined ? caller.scope : findScope(caller, database);
  if (caller.by === "role") {
    const where = database === undefined ? "" : ` --in ${database}`;
    return new CairnError(
      "forbidden",
      `${action} requires the role ${needed}; ${callerName(caller)} has ${hasNoDatabase(caller) ? "none" : has}. ` +
        `Ask an administrator to run: cairn access grant --person ${callerName(caller)} --role ${needed}${where}.`,
    );
  }
  return new CairnError(
    "forbidden",
    `${action} requires the scope ${needed}; the token of ${callerName(caller)} has ${has}. ` +
      `Ask an administrator to run: cairn token create NAME --scope ${needed}.`,
  );
}

function hasNoDatabase({ databases }: Caller): boolean {
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
      `db: ${callerName(caller)} has no role in this database${describeAccess(caller)}. Ask an administrator to run: ` +
        `cairn access grant --person ${callerName(caller)} --role read --in NAME.`,
    );
  }
  throw new CairnError(
    "forbidden",
    `db: the token of ${callerName(caller)} is limited to ${caller.databases?.join(", ")}. Name one of these, ` +
      "or ask for another token: cairn token create NAME --databases A,B.",
  );
}

function describeAccess({ databases = [] }: Caller): string {
  return databases.length === 0 ? "" : `, only in ${databases.join(", ")}`;
}

export function requireEveryDatabase(caller: Caller, action: string): void {
  if (caller.databases === undefined) return;
  if (caller.by === "role") {
    throw new CairnError(
      "forbidden",
      `${action} affects every database, but ${callerName(caller)} has no role in all of them. ` +
        "Ask an administrator to run `cairn access grant` without --in.",
    );
  }
  throw new CairnError(
    "forbidden",
    `${action} affects every database, but the token of ${callerName(caller)} is limited to ` +
      `${caller.databases.join(", ")}. Ask for a token without --databases.`,
  );
}

export function isSameCaller(a: Caller, b: Caller): boolean {
  const serializeRights = ({ name, scope, databases, within }: Caller) =>
    JSON.stringify([name, scope, databases, within]);
  return serializeRights(a) === serializeRights(b);
}

function callerName({ name }: Caller): string {
  return name ?? "the server";
}

/** A `busy` error with its own HTTP status, because a later retry will succeed. */
export class OverLimit extends CairnError {
  readonly retryAfterSeconds: number;

  constructor(message: string, about: { most: number; retryAfter: number }) {
    const { most, retryAfter } = about;
    super("busy", message, { limit: "requests_per_minute", most, retry_after_seconds: retryAfter });
    this.retryAfterSeconds = retryAfter;
  }
}
