import type { McpPrompt } from "./prompt.ts";

export const triageConflicts: McpPrompt = {
  name: "triage_conflicts",
  title: "Triage conflicts",
  description: "Go through the open conflicts and settle those that can be settled",
  arguments: [],
  text: (_values, tools) => `Go through the open conflicts in memory.

1. Call \`snapshot\` with the scope \`conflicts\`.
2. For each one compare what the two facts say, who asserted them, when, and with which source. \`recall\` what they are about; look at the repository where it can tell.
3. Decide:
   - One of them holds: ${tools.has("resolve_conflict") ? "`resolve_conflict` with `winning_fact_id` and a `note` that says why" : '`apply` with `resolve conflict:1 winner=fact:2 "why"`'}.
   - Both hold, for different places, times or meanings: ${tools.has("dismiss_conflict") ? "`dismiss_conflict` with a `note` that says how they differ" : '`apply` with `dismiss conflict:1 "how they differ"`'}.
   - It cannot be told from here: leave it open and ask me. Show both statements with their sources, the newer one first.
4. Never pick a winner for its age alone when the older one has the better source.
5. At the end, list what was resolved, dismissed and left open, with ids.`,
};
