import type { McpPrompt } from "./prompt.ts";

export const consolidate: McpPrompt = {
  name: "consolidate",
  title: "Consolidate",
  description: "Turn episodes that were not reviewed yet into concepts",
  arguments: [],
  text: () => `Consolidate memory: turn experience into knowledge.

1. Call \`snapshot\` with the scopes \`pending conflicts bootstrap:20\`.
2. Read all pending episodes. Look for what several of them say together, for outcomes that bear on an existing concept, and for facts that replace older ones.
3. Write one changeset:
   - \`concept as=x title="…" from=ep:1,ep:2 type=pattern "summary"\` for what at least two episodes show. The summary says what to do or expect, and when. A single episode becomes a \`type=hypothesis\` at most, and only if it matters.
   - \`evidence concept=ID episode=ep:3 type=supporting strength=0.7 "why"\` where an episode supports, contradicts, exemplifies or qualifies an existing concept.
   - \`supersede old=fact:1 new=fact:2\` or \`conflict fact_a=fact:1 fact_b=fact:2\` for facts that cannot both hold.
   - \`link from=$x to=ID type=implies\` where concepts bear on each other.
   - \`processed ids=ep:1,ep:2\` for every episode that you reviewed, also those that led to nothing.
4. Call \`apply\` with \`dry_run\` true, correct what it reports, then apply it.
5. Tell me what you made, changed and left open, with ids.

Invent nothing: every concept follows from its episodes. Prefer strengthening what exists to a near duplicate.`,
};
