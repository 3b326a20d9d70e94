import { z } from "zod";
import type { KeptToken } from "../database/index.ts";
import { ACCESS_SCOPES, type AccessScope } from "../kernel/caller.ts";

/** What the holder of a token may do, where, and how long. */
export interface Grant {
  readonly scope: AccessScope;
  /** The only databases that it opens; undefined: all. */
  readonly databases?: readonly string[] | undefined;
  /** ISO 8601, UTC; undefined: until it is revoked. */
  readonly expires_at?: string | undefined;
}

/**
 * As the scope of a token that is less than its scope would say. Servers that do not know of limits
 * do not know this scope either, and refuse the token instead of letting it do more.
 */
const LIMITED = "limited";

const scope = z.enum(ACCESS_SCOPES);

/** Strict: a limit that this version does not know closes, too. */
const limits = z.strictObject({
  scope,
  databases: z.array(z.string()).min(1).optional(),
  expires_at: z.iso.datetime().optional(),
});

/** The fields of a kept token that say what it grants. */
export function keptGrant(grant: Grant): Pick<KeptToken, "scope" | "limits"> {
  const { scope: allowed, databases, expires_at } = grant;
  if (databases === undefined && expires_at === undefined) return { scope: allowed };
  const kept = {
    scope: allowed,
    ...(databases !== undefined && { databases }),
    ...(expires_at !== undefined && { expires_at }),
  };
  return { scope: LIMITED, limits: kept };
}

/** Undefined for a token of a newer version, which lets nobody in here. */
export function grantOf({ scope: kept, limits: narrowed }: KeptToken): Grant | undefined {
  if (kept === LIMITED) return limits.safeParse(narrowed).data;
  const known = scope.safeParse(kept).data;
  return known === undefined || narrowed !== undefined ? undefined : { scope: known };
}

export function isOver({ expires_at: end }: Grant, now: Date): boolean {
  return end !== undefined && Date.parse(end) <= now.getTime();
}
