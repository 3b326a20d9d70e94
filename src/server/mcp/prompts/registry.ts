import { invalidInput } from "../../../shared/errors.ts";
import { didYouMean } from "../../../shared/nearest.ts";

const triageConflicts: McpPrompt = {
  name: "triage_conflicts",
  title: "Triage conflicts",
  description: "Review open conflicts and resolve those that can be resolved",
  arguments: [],
  text: (_values, tools) => `Review the open conflicts in memory.

1. Call \`snapshot\` with the scope \`conflicts\`.
2. For each conflict compare the two facts: statement, author, date and source. \`recall\` their subject, and check the repository if it can settle the question.
3. Decide:
   - One is valid: ${tools.has("resolve_conflict") ? "`resolve_conflict` with `winning_fact_id` and a `note` with the reason" : '`apply` with `resolve conflict:1 winner=fact:2 "why"`'}.
   - Both are valid, in different contexts, times or meanings: ${tools.has("dismiss_conflict") ? "`dismiss_conflict` with a `note` with the difference" : '`apply` with `dismiss conflict:1 "how they differ"`'}.
   - Undecidable from here: leave it open and ask me. Show both statements with their sources, the newer one first.
4. Do not prefer the newer fact if the older one has the better source.
5. Finally, list the resolved, dismissed and open conflicts with ids.`,
};

interface McpPrompt {
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

const consolidate: McpPrompt = {
  name: "consolidate",
  title: "Consolidate",
  description: "Consolidate pending episodes into concepts",
  arguments: [],
  text: () => `Consolidate memory: derive concepts from episodes.

1. Call \`snapshot\` with the scopes \`pending conflicts bootstrap:20\`.
2. Read all pending episodes. Look for statements that several of them support, outcomes that concern an existing concept, and facts that replace older ones.
3. Write one changeset:
   - \`concept as=x title="…" from=ep:1,ep:2 type=pattern "summary"\` for a conclusion from at least two episodes. The summary states what to do or expect, and when. From a single important episode, create at most a \`type=hypothesis\`.
   - \`evidence concept=ID episode=ep:3 type=supporting strength=0.7 "why"\` where an episode supports, contradicts, exemplifies or qualifies an existing concept.
   - \`supersede old=fact:1 new=fact:2\` or \`conflict fact_a=fact:1 fact_b=fact:2\` for facts that cannot both be valid.
   - \`link from=$x to=ID type=implies\` for related concepts.
   - \`processed ids=ep:1,ep:2\` for every reviewed episode, including those without a conclusion.
4. Call \`apply\` with \`dry_run\` true, fix the reported errors, then apply it.
5. Report what you created, changed and left open, with ids.

Every concept must follow from its episodes. Strengthen an existing concept instead of creating a near duplicate.`,
};

const startSession: McpPrompt = {
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
  text: ({ task }) => `Before we begin, read the memory.

1. Call \`snapshot\` with the scopes \`bootstrap conflicts recent:10\`.
${
  task === undefined
    ? "2. Ask me what this session is about, then call `recall` with it."
    : `2. Call \`recall\` with: ${JSON.stringify(task)}. If it names files, people or tools, recall each of them with \`entity\` too.`
}
3. Tell me in at most ten lines what is relevant to the work: decisions with reasons, preferences, earlier failures, open conflicts. Give the id of each (ep:…, fact:…).
4. List the information that you need but memory lacks.

Do not write anything to memory yet.`,
};

export const mcpPrompts: readonly McpPrompt[] = [startSession, consolidate, triageConflicts];

/** Returns a prompt's text. Throws invalid_input for an unknown name or argument. */
export function promptText(
  name: string,
  values: Readonly<Record<string, string>>,
  tools: ReadonlySet<string>,
) {
  const prompt = mcpPrompts.find((known) => known.name === name);
  if (prompt === undefined) {
    const names = mcpPrompts.map((known) => known.name);
    throw invalidInput(`There is no prompt "${name}".${didYouMean(name, names)}`);
  }
  const known = prompt.arguments.map((argument) => argument.name);
  for (const value of Object.keys(values)) {
    if (known.includes(value)) continue;
    throw invalidInput(`${name}: unknown argument "${value}".${didYouMean(value, known)}`);
  }
  return { description: prompt.description, text: prompt.text(values, tools) };
}
