import { expandMentions } from "../files/expand-mentions.ts";
import type { Choice, Dialogue } from "../ports/dialogue.ts";
import type { TurnOptions } from "../ports/events.ts";
import type { SlashCommandContext } from "../ports/slash-command.ts";

export type Review =
  | { readonly kind: "accept" }
  | { readonly kind: "abandon" }
  | { readonly kind: "feedback"; readonly text: string };

/** Labels of `y` and `n`, such as `save` and `revise`. */
export interface ReviewWords {
  readonly accept: string;
  readonly revise: string;
}

/** Shows `[y]es to save, [n]o to revise, [a]bandon` until one is chosen. */
export async function askForReview(dialogue: Dialogue, words: ReviewWords): Promise<Review> {
  const question = `[y]es to ${words.accept}, [n]o to ${words.revise}, [a]bandon`;
  const choices = [
    { key: "y", label: `yes, ${words.accept}` },
    { key: "n", label: `no, ${words.revise}` },
    { key: "a", label: "abandon" },
  ];
  const review = readReview(await choose(dialogue, question, choices));
  if (review.kind !== "feedback") return review;
  let { text } = review;
  while (text === "") {
    const reply = await dialogue.ask("What should be different? ([a]bandon leaves)");
    const again = readReview(reply);
    if (again.kind === "abandon") return again;
    text = again.kind === "feedback" ? again.text : "";
  }
  return { kind: "feedback", text };
}

/**
 * `y`, `yes` accept; `a`, `abandon` and `/plan exit` leave; other text is feedback, empty for `n`
 * or `no`.
 */
export function readReview(reply: string): Review {
  const text = reply.trim();
  const word = text.toLowerCase().replace(/[.!]+$/, "");
  if (word === "y" || word === "yes") return { kind: "accept" };
  if (word === "a" || word === "abandon" || isPlanExit(text)) return { kind: "abandon" };
  return { kind: "feedback", text: word === "n" || word === "no" ? "" : text };
}

export function choose(
  dialogue: Dialogue,
  question: string,
  choices: readonly Choice[],
): Promise<string> {
  if (choices.length === 0) return dialogue.ask(question);
  return dialogue.choose?.(question, choices) ?? dialogue.ask(question);
}

interface DraftFlow<Draft> {
  readonly request: string;
  readonly turn: TurnOptions;
  readonly words: ReviewWords;
  /** Throws a CairnError if the answer cannot be read; the flow ends with it. */
  parse(answer: string): Draft | Promise<Draft>;
  preview(draft: Draft): string;
}

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

export async function withMentions(context: SlashCommandContext, text: string): Promise<string> {
  const expanded = await expandMentions({
    text,
    projectRoot: context.projectRoot,
    allowOutsideProject: context.settings.allowOutsideProject,
  });
  for (const warning of expanded.warnings) context.dialogue.info(warning);
  if (expanded.pictures.length > 0) {
    context.dialogue.info("Images can only be sent with plain messages, so these were ignored.");
  }
  return expanded.text;
}

export function isPlanExit(text: string): boolean {
  return /^\s*\/plan\s+exit\s*$/i.test(text);
}
