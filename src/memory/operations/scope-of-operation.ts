import type { AccessScope } from "../../shared/caller.ts";
import type { Operation } from "./define-operation.ts";

export function scopeOfOperation({ kind, erases, needs }: Operation): AccessScope {
  if (needs !== undefined) return needs;
  if (kind === "read") return "read";
  return erases === true ? "admin" : "write";
}
