import { allows } from "../../shared/caller.ts";
import type { ExecuteOptions } from "../context/execute-options.ts";

/** What others asked is for whoever looks after the memory; everybody else sees their own. */
export function ownRecallsOnly(
  { caller }: ExecuteOptions,
  database: string,
): { readonly askedBy?: string } {
  if (caller === undefined || allows(caller, "admin", database)) return {};
  return { askedBy: caller.name ?? "" };
}
