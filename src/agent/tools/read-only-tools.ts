import type { AgentSettings } from "../settings.ts";

const READ_ONLY_TOOLS = [
  "read",
  "skim",
  "filegrep",
  "glob",
  "grep",
  "web_fetch",
  "recall",
  "memory_snapshot",
];

/** The tools that change nothing, and `extra`, as far as the config allows them. */
export function readOnlyTools(
  settings: AgentSettings,
  extra: readonly string[] = [],
): readonly string[] {
  const allowed = settings.tools;
  const tools = [...READ_ONLY_TOOLS, ...extra];
  return allowed === undefined ? tools : tools.filter((tool) => allowed.includes(tool));
}
