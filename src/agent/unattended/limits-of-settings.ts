import type { AgentSettings } from "../settings.ts";
import type { NightLimits } from "./night-limits.ts";

export function limitsOfSettings({ unattended }: Pick<AgentSettings, "unattended">): NightLimits {
  const { hours, maxCost, maxTokens, maxTurns, maxDiskMb, outageHours, ...loops } = unattended;
  return {
    hours,
    ...(maxCost !== undefined && { cost: maxCost }),
    ...(maxTokens !== undefined && { tokens: maxTokens }),
    turns: maxTurns,
    ...(maxDiskMb !== undefined && { diskMb: maxDiskMb }),
    outageHours,
    idleTurns: loops.maxIdleTurns,
    equalFailures: loops.maxEqualFailures,
  };
}
