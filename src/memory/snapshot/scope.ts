import type { WriteContext } from "../context/write-context.ts";

/** One section of a snapshot. `argument` is what follows the colon, checked by the parser. */
export type ScopeReader = (
  context: WriteContext,
  argument: string | undefined,
) => Promise<Record<string, unknown>>;
