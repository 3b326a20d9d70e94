import type { AgentSettings } from "../settings.ts";
import type { NightLimits } from "./night-limits.ts";

/** Model requests of one task without a change of any file. */
const IDLE_TURNS = 60;
const EQUAL_FAILURES = 3;

export function limitsOfSettings({ unattended }: Pick<AgentSettings, "unattended">): NightLimits {
  const { hours, maxCost, maxTokens, maxTurns, maxDiskMb, outageHours } = unattended;
  return {
    hours,
    ...(maxCost !== undefined && { cost: maxCost }),
    ...(maxTokens !== undefined && { tokens: maxTokens }),
    turns: maxTurns,
    ...(maxDiskMb !== undefined && { diskMb: maxDiskMb }),
    outageHours,
    idleTurns: IDLE_TURNS,
    equalFailures: EQUAL_FAILURES,
  };
}
