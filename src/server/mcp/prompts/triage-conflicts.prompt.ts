export const triageConflicts: McpPrompt = {
  name: "triage_conflicts",
  title: "Triage conflicts",
  description: "Review open conflicts and resolve those that can be resolved",
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

export interface McpPrompt {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly arguments: readonly PromptArgument[];
  text(values: Readonly<Record<string, string>>, tools: ReadonlySet<string>): string;
}

interface PromptArgument {
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
  /** Completion kinds for this argument. */
  readonly suggests?: string;
}

export const consolidate: McpPrompt = {
  name: "consolidate",
  title: "Consolidate",
  description: "Consolidate pending episodes into concepts",
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

export const startSession: McpPrompt = {
  name: "start_session",
  title: "Start a session",
  description: "Load relevant memory before starting work",
  arguments: [
    {
      name: "task",
      description: "Topic of the session",
      required: false,
      suggests: "topic,entity",
    },
  ],
  text: ({ task }) => `Before we begin, look into memory.

1. Call \`snapshot\` with the scopes \`bootstrap conflicts recent:10\`.
${
  task === undefined
    ? "2. Ask me what this session is about, then call `recall` with it."
    : `2. Call \`recall\` with: ${JSON.stringify(task)}. If it names files, people or tools, recall each of them with \`entity\` too.`
}
3. Tell me in at most ten lines what bears on the work: decisions and their reasons, preferences, what failed before, what is contested. Give the id of each (ep:…, fact:…).
4. Name what memory does not know and you need to know.

Do not write anything to memory yet.`,
};
