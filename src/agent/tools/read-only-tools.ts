import type { AgentSettings } from "../settings.ts";

export const READ_ONLY_TOOLS: readonly string[] = [
  "read",
  "skim",
  "filegrep",
  "glob",
  "grep",
  "web_fetch",
  "recall",
  "memory_snapshot",
];

/** True if a call may run concurrently: it changes nothing, or works in a thread of its own. */
export function canRunConcurrently(tool: string): boolean {
  return READ_ONLY_TOOLS.includes(tool) || tool === "subagent";
}

export function readOnlyTools(
  settings: AgentSettings,
  extra: readonly string[] = [],
): readonly string[] {
  const allowed = settings.tools;
  const tools = [...READ_ONLY_TOOLS, ...extra];
  return allowed === undefined ? tools : tools.filter((tool) => allowed.includes(tool));
}
