import type { SlashCommandContext } from "../ports/slash-command.ts";
import type { TurnOptions } from "../ports/thread-control.ts";
import { askForReview, type ReviewWords } from "./review.ts";
import { withMentions } from "./with-mentions.ts";

export interface DraftFlow<Draft> {
  /** The first message to the model, as the user typed it or as the command puts it. */
  readonly request: string;
  readonly turn: TurnOptions;
  readonly words: ReviewWords;
  /** Throws a CairnError when the answer cannot be read: the flow ends with that `error`. */
  parse(answer: string): Draft | Promise<Draft>;
  preview(draft: Draft): string;
}

/**
 * The model drafts, the person reviews, until the draft is accepted. Undefined: it was abandoned,
 * or a turn failed or was cancelled, which the turn itself has said.
 */
export async function draftUntilAccepted<Draft>(
  context: SlashCommandContext,
  flow: DraftFlow<Draft>,
): Promise<Draft | undefined> {
  let message = flow.request;
  for (;;) {
    const turn = await context.thread.runTurn(message, flow.turn);
    context.signal.throwIfAborted();
    if (turn.outcome !== "completed") return undefined;
    const draft = await flow.parse(turn.text);
    context.dialogue.info(flow.preview(draft));
    const review = await askForReview(context.dialogue, flow.words);
    if (review.kind === "accept") return draft;
    if (review.kind === "abandon") {
      context.dialogue.info("Abandoned: nothing was saved.");
      return undefined;
    }
    message = await withMentions(context, review.text);
  }
}
