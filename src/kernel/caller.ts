import { CairnError } from "./errors.ts";

/** What a token allows, each with all before it. */
export const ACCESS_SCOPES = ["read", "write", "admin"] as const;

export type AccessScope = (typeof ACCESS_SCOPES)[number];

/** Who asks over a server. */
export interface Caller {
  /** Name of the token; undefined for whoever the server takes for its owner. */
  readonly name: string | undefined;
  readonly scope: AccessScope;
}

/** Brings the server's own token, or may come in without any. */
export const OWNER: Caller = { name: undefined, scope: "admin" };

export function allows({ scope }: Caller, needed: AccessScope): boolean {
  return ACCESS_SCOPES.indexOf(scope) >= ACCESS_SCOPES.indexOf(needed);
}

/** Throws forbidden where the caller may not do so much. */
export function requireScope(caller: Caller, needed: AccessScope, what: string): void {
  if (allows(caller, needed)) return;
  const { name, scope } = caller;
  throw new CairnError(
    "forbidden",
    `${what} needs the scope ${needed}, and the token of ${name ?? "the server"} has ${scope}. ` +
      `Ask for another one: cairn token create NAME --scope ${needed}.`,
  );
}
