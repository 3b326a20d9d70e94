import { FACT_CLUSTER } from "./concept.schema.ts";

/** Whether an agent can act on a concept: not deleted, not an empty cluster, not superseded. */
export function isActionable(
  concept: {
    readonly type: string;
    readonly instanceCount: number;
    readonly deletedAt: string | null;
  },
  superseded: boolean,
): boolean {
  if (concept.deletedAt !== null || superseded) return false;
  return concept.type !== FACT_CLUSTER || concept.instanceCount > 0;
}
