import { fence } from "../documents/fence.ts";
import type { SlashCommand, SlashCommandContext } from "../ports/slash-command.ts";
import { readOnlyTools } from "../tools/read-only-tools.ts";
import { type CheckedChangeset, checkChangeset } from "./check-changeset.ts";
import { consolidationGuide } from "./consolidate.prompt.ts";
import { writableMemoryOf } from "./memory-of.ts";
import { type PendingEpisodes, pendingEpisodes } from "./pending-episodes.ts";
import { askForReview } from "./review.ts";

export const consolidate: SlashCommand = {
  name: "consolidate",
  summary: "Turn new episodes into concepts, after review",
  async run(context) {
    const { dialogue, signal, thread } = context;
    const memory = writableMemoryOf(context);
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

/** Drafts, each tried without effect and shown with its errors, until one is accepted. */
async function reviewChangesets(
  context: SlashCommandContext,
  pending: PendingEpisodes,
): Promise<CheckedChangeset | undefined> {
  const { dialogue } = context;
  let message = requestFor(pending);
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
    const review = await askAbout(context, draft);
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
  return checkChangeset(writableMemoryOf(context), turn.text, context.signal);
}

async function askAbout({ dialogue }: SlashCommandContext, draft: CheckedChangeset) {
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

function requestFor({ text, shown, total }: PendingEpisodes): string {
  const rest = total > shown ? ` These are the oldest ${shown} of ${total}.` : "";
  return `Consolidate these episodes.${rest}\n\n${fence("episodes", text)}`;
}
