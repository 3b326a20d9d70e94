import { allows } from "../../shared/caller.ts";
import type { ExecuteOptions } from "../context/execute-options.ts";

export function ownRecallsOnly(
  { caller }: ExecuteOptions,
  database: string,
): { readonly askedBy?: string } {
  if (caller === undefined || allows(caller, "admin", database)) return {};
  return { askedBy: caller.name ?? "" };
}
