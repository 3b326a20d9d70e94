import type { ChainPlace } from "../../shared/chained-log/chain-place.ts";
import { type CheckedChain, readChain } from "../../shared/chained-log/read-chain.ts";
import { type AuditEntry, agentAudit } from "./audit-entry.ts";

export interface ReadAudit extends Omit<CheckedChain, "count"> {
  /** Up to the first that does not hold. */
  readonly entries: readonly AuditEntry[];
}

/** Reads a log and checks that it is the one that was written. */
export async function readAudit(place: ChainPlace): Promise<ReadAudit> {
  const entries: AuditEntry[] = [];
  const { problem, brokenAt, notice } = await readChain(place, agentAudit, (entry) => {
    entries.push(entry);
  });
  return { entries, problem, brokenAt, notice };
}
