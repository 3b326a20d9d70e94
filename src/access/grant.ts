import { z } from "zod";
import type { StoredToken } from "../database/index.ts";
import { ACCESS_SCOPES, type AccessScope } from "../shared/caller.ts";

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
