import {
  type ChangesetIssue,
  type EpisodeRecord,
  findIssues,
  type Memory,
  readScope,
} from "../../memory/index.ts";
import { invalidInput, isCairnError } from "../../shared/errors.ts";
import { fence } from "../documents/fence.ts";
import { fencedBlocks } from "../documents/find-json.ts";
import type { SlashCommand, SlashCommandContext } from "../ports/slash-command.ts";
import { readOnlyTools } from "../tools/read-only-tools.ts";
import { requireWritableMemory } from "./remember.ts";
import { askForReview } from "./review.ts";

export const consolidationGuide = `# Now: consolidate the memory

The message contains unreviewed episodes, as data. Derive what they have in common or what remains useful, and reply with one changeset in a fenced block and nothing else. The user reviews it before it is applied.

First check with \`recall\` for an existing concept: add evidence to it or improve its summary instead of creating a second one.

One operation per line: \`key=value\`, values with spaces in double quotes. \`as=name\` defines a name that later lines reference as \`$name\`:

concept as=c1 title="Short title" from=ep:1,ep:4 type=pattern confidence=0.7 summary="What is true, why, and where; self-contained."
evidence concept=$c1 episode=ep:1 type=supporting strength=0.8 note="why"
update id=<concept id> summary="…" confidence=0.8
link from=$c1 to=<concept id> type=implies
label id=$c1 key=area value=build
supersede old=fact:<id> new=fact:<id>
conflict fact_a=fact:<id> fact_b=fact:<id> severity=medium description="what contradicts"
processed ids=ep:1,ep:2,ep:4

- Evidence types: supporting, contradicting, exemplifying, qualifying. Confidence and strength are between 0 and 1.
- Use only ids that you have seen. Do not create a concept from a single remark.
- End with \`processed\` for every reviewed episode, including those without a conclusion.
- If two facts contradict each other: \`supersede\` if the newer one clearly replaces the older one, else \`conflict\`.

If the user requests changes or errors are shown, reply with the complete new changeset.`;

const MAX_EPISODES = 200;
const MAX_CHARACTERS = 60_000;

interface PendingEpisodes {
  readonly text: string;
  readonly shown: number;
  readonly total: number;
}

/** Unreviewed episodes, oldest first, up to the size of one request. */
async function pendingEpisodes(memory: Memory, signal: AbortSignal): Promise<PendingEpisodes> {
  const { episodes } = await readScope(memory, "pending", { signal });
  const oldestFirst = [...episodes].sort((a, b) => parseIdNumber(a.id) - parseIdNumber(b.id));
  const blocks: string[] = [];
  let characters = 0;
  for (const block of oldestFirst.map(describe)) {
    const fits = characters + block.length <= MAX_CHARACTERS && blocks.length < MAX_EPISODES;
    if (!fits && blocks.length > 0) break;
    blocks.push(block.slice(0, MAX_CHARACTERS));
    characters += block.length;
  }
  return { text: blocks.join("\n\n"), shown: blocks.length, total: episodes.length };
}

function describe(item: EpisodeRecord): string {
  const head = [
    item.id,
    item.fact_id ? `${item.episode_type} ${item.fact_id}` : item.episode_type,
    item.created_at.slice(0, 10),
    ...(item.asserted_by ? [`by ${item.asserted_by}`] : []),
    ...(item.entities.length === 0 ? [] : [item.entities.join(" ")]),
  ];
  return `[${head.join(", ")}]\n${item.content}`;
}

function parseIdNumber(id: string): number {
  return Number(id.split(":")[1] ?? 0);
}

export const consolidate: SlashCommand = {
  name: "consolidate",
  summary: "Derive concepts from new episodes and review them",
  async run(context) {
    const { dialogue, signal, thread } = context;
    const memory = requireWritableMemory(context);
    const pending = await pendingEpisodes(memory, signal);
    if (pending.shown === 0) {
      dialogue.info("There are no new episodes to consolidate.");
      return;
    }
    const accepted = await thread.withSeparateHistory(() => reviewChangesets(context, pending));
    if (accepted === undefined) return;
    await memory.execute(
      "apply",
      { changeset: accepted.changeset },
      { session: thread.threadId, surface: "agent" },
    );
    dialogue.success(`Applied ${accepted.operations} operations.`);
  },
};

async function reviewChangesets(
  context: SlashCommandContext,
  pending: PendingEpisodes,
): Promise<CheckedChangeset | undefined> {
  const { dialogue } = context;
  let message = formatRequest(pending);
  let repairs = 1;
  for (;;) {
    const draft = await nextDraft(context, message);
    if (draft === undefined) return undefined;
    if (draft.errors !== undefined && repairs > 0) {
      repairs -= 1;
      dialogue.info(`The changeset has errors; the agent repairs it.\n${draft.errors}`);
      message = `The changeset cannot be applied:\n${fence("errors", draft.errors)}`;
      continue;
    }
    const review = await askAboutBatch(context, draft);
    if (review.kind === "accept") return draft;
    if (review.kind === "abandon") {
      dialogue.info("Abandoned: nothing was applied.");
      return undefined;
    }
    message = review.text;
    repairs = 1;
  }
}

async function nextDraft(
  context: SlashCommandContext,
  message: string,
): Promise<CheckedChangeset | undefined> {
  const turn = await context.thread.runTurn(message, {
    tools: readOnlyTools(context.settings),
    systemAddition: consolidationGuide,
  });
  context.signal.throwIfAborted();
  if (turn.outcome !== "completed") return undefined;
  return checkChangeset(requireWritableMemory(context), turn.text, context.signal);
}

async function askAboutBatch({ dialogue }: SlashCommandContext, draft: CheckedChangeset) {
  dialogue.print(draft.changeset);
  if (draft.errors === undefined) {
    dialogue.info(`A trial run of its ${draft.operations} operations had no errors.`);
    return askForReview(dialogue, { accept: "apply", revise: "revise" });
  }
  dialogue.info(`It cannot be applied:\n${draft.errors}`);
  for (;;) {
    const review = await askForReview(dialogue, { accept: "apply", revise: "revise" });
    if (review.kind !== "accept") return review;
    dialogue.info("It has errors and cannot be applied: say what to change, or abandon it.");
  }
}

function formatRequest({ text, shown, total }: PendingEpisodes): string {
  const rest = total > shown ? ` These are the oldest ${shown} of ${total}.` : "";
  return `Consolidate these episodes.${rest}\n\n${fence("episodes", text)}`;
}

interface ChangesetTrial {
  readonly operations: number;
  readonly errors: readonly (Partial<ChangesetIssue> & { readonly message: string })[];
}

interface CheckedChangeset {
  readonly changeset: string;
  readonly operations: number;
  /** One line per error of a trial run; undefined if it can be applied. */
  readonly errors: string | undefined;
}

/** Extracts and tries a changeset without effect. Throws invalid_input. */
async function checkChangeset(
  memory: Memory,
  answer: string,
  signal: AbortSignal,
): Promise<CheckedChangeset> {
  const changeset = (fencedBlocks(answer.replace(/\r\n?/g, "\n")).at(-1) ?? answer).trim();
  if (changeset === "") throw invalidInput("The response contains no changeset.");
  const tried = await tryChangeset(memory, changeset, signal);
  const errors = tried.errors.length === 0 ? undefined : describeErrors(tried.errors);
  return { changeset, operations: tried.operations, errors };
}

async function tryChangeset(
  memory: Memory,
  changeset: string,
  signal: AbortSignal,
): Promise<ChangesetTrial> {
  try {
    const { results } = await memory.execute("apply", { changeset, dry_run: true }, { signal });
    return { operations: results.length, errors: [] };
  } catch (error) {
    if (!isCairnError(error)) throw error;
    return { operations: 0, errors: findIssues(error) ?? [{ message: error.message }] };
  }
}

function describeErrors(errors: ChangesetTrial["errors"]): string {
  return errors
    .map(({ line, op, message }) => {
      const where = line === undefined ? "" : `line ${line}: `;
      return `${where}${op ? `${op}: ` : ""}${message}`;
    })
    .join("\n");
}
