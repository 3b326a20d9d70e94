import type { OperationContext } from "../context/operation-context.ts";

/** One section of a snapshot. `argument` is what follows the colon, checked by the parser. */
export type ScopeReader = (
  context: OperationContext,
  argument: string | undefined,
) => Promise<Record<string, unknown>>;
