import type { Choice } from "../ports/dialogue.ts";
import type { AskUser } from "./ask-user.ts";

/** One question at a time, whatever the model calls side by side. */
export function inTurn(ask: AskUser): AskUser {
  let earlier: Promise<unknown> = Promise.resolve();
  return (question, choices) => {
    const asked = earlier.then(() => ask(question, choices));
    earlier = asked.catch(() => undefined);
    return asked;
  };
}

/** With the choices below it, for whoever sees text alone: `[1] the first, [2] the second`. */
export function withChoices(question: string, choices: readonly Choice[]): string {
  if (choices.length === 0) return question;
  return `${question}\n${choices.map(({ key, label }) => `[${key}] ${label}`).join(", ")}`;
}
