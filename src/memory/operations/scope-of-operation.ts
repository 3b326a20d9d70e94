import type { AccessScope } from "../../shared/caller.ts";
import type { Operation } from "./define-operation.ts";

/** What a caller's token must allow: what cannot be taken back is for who looks after the memory. */
export function scopeOfOperation({ kind, erases, needs }: Operation): AccessScope {
  if (needs !== undefined) return needs;
  if (kind === "read") return "read";
  return erases === true ? "admin" : "write";
}
