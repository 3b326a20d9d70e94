import type { Choice, Dialogue } from "../ports/dialogue.ts";
import { isPlanExit } from "./plan-exit.ts";

export type Review =
  | { readonly kind: "accept" }
  | { readonly kind: "abandon" }
  | { readonly kind: "feedback"; readonly text: string };

/** What `y` and `n` do with a draft: `save` and `revise`. */
export interface ReviewWords {
  readonly accept: string;
  readonly revise: string;
}

/** Shows `[y]es to save, [n]o to revise, [a]bandon` and waits until the answer is one of them. */
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
 * `y`, `yes` accept; `a`, `abandon` and `/plan exit` leave; all else is feedback, which is empty
 * for a bare `n` or `no`.
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
