import { CairnError } from "./errors.ts";

/** What a token allows, each with all before it. */
export const ACCESS_SCOPES = ["metrics", "read", "propose", "write", "decide", "admin"] as const;

export type AccessScope = (typeof ACCESS_SCOPES)[number];

/** Who asks over a server. */
export interface Caller {
  /** Name of the token; undefined for whoever the server takes for its owner. */
  readonly name: string | undefined;
  readonly scope: AccessScope;
  /** The only databases that exist for them; undefined: all. */
  readonly databases?: readonly string[] | undefined;
}

/** Brings the server's own token, may come in without any, or is the program itself. */
export const OWNER: Caller = { name: undefined, scope: "admin" };

export function allows({ scope }: Caller, needed: AccessScope): boolean {
  return ACCESS_SCOPES.indexOf(scope) >= ACCESS_SCOPES.indexOf(needed);
}

/** Throws forbidden where the caller may not do so much. */
export function requireScope(caller: Caller, needed: AccessScope, what: string): void {
  if (allows(caller, needed)) return;
  throw new CairnError(
    "forbidden",
    `${what} needs the scope ${needed}, and the token of ${nameOf(caller)} has ${caller.scope}. ` +
      `Ask for another one: cairn token create NAME --scope ${needed}.`,
  );
}

export function mayOpen({ databases }: Caller, database: string): boolean {
  return databases === undefined || databases.includes(database);
}

/** Throws forbidden where the caller's token is for other databases, whether or not there is this one. */
export function requireDatabase(caller: Caller, database: string): void {
  if (mayOpen(caller, database)) return;
  throw new CairnError(
    "forbidden",
    `db: the token of ${nameOf(caller)} is for ${caller.databases?.join(", ")} only. Name one of these, ` +
      "or ask for another token: cairn token create NAME --databases A,B.",
  );
}

/** Throws forbidden where the caller's token is for some databases, and this concerns all. */
export function requireEveryDatabase(caller: Caller, what: string): void {
  if (caller.databases === undefined) return;
  throw new CairnError(
    "forbidden",
    `${what} concerns every database, and the token of ${nameOf(caller)} is for ` +
      `${caller.databases.join(", ")} only. Ask for one without --databases.`,
  );
}

/** Whether it is the same person with the same rights. */
export function isSameCaller(a: Caller, b: Caller): boolean {
  const rights = ({ name, scope, databases }: Caller) => JSON.stringify([name, scope, databases]);
  return rights(a) === rights(b);
}

function nameOf({ name }: Caller): string {
  return name ?? "the server";
}
