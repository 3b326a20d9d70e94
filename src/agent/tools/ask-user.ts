import { z } from "zod";
import { CairnError } from "../../shared/errors.ts";
import type { Choice } from "../ports/dialogue.ts";
import { defineTool, type Tool } from "./define-tool.ts";

/** Resolves with the key of a choice or other typed text. */
export type AskUser = (question: string, choices: readonly Choice[]) => Promise<string>;

export function askUserTool(ask: AskUser): Tool {
  return defineTool({
    name: "ask_user",
    description:
      "Asks the user one question and waits. Ask only if the project cannot answer and the answer " +
      "changes what you do. List `choices`, preferred first.",
    readOnly: true,
    input: z.strictObject({
      question: z.string().trim().min(1),
      choices: z.array(z.string().trim().min(1).max(200)).min(2).max(9).optional(),
    }),
    async run(_context, { question, choices: labels = [] }) {
      const choices = labels.map((label, index) => ({ key: `${index + 1}`, label }));
      const answer = await ask(question, choices);
      const chosen = choices.find(({ key }) => key === answer.trim());
      return { text: chosen?.label ?? answer };
    },
  });
}

export const rejectWithoutUser: AskUser = async () => {
  throw new CairnError(
    "unavailable",
    "No user is available to answer. Choose the safest option that is easiest to change, continue, and state the question and your choice in your final answer.",
  );
};

/** Asks one question at a time. */
export function askInOrder(ask: AskUser): AskUser {
  let earlier: Promise<unknown> = Promise.resolve();
  return (question, choices) => {
    const answer = earlier.then(() => ask(question, choices));
    earlier = answer.catch(() => undefined);
    return answer;
  };
}

/** Appends the choices for text-only clients: `[1] the first, [2] the second`. */
export function formatQuestion(question: string, choices: readonly Choice[]): string {
  if (choices.length === 0) return question;
  return `${question}\n${choices.map(({ key, label }) => `[${key}] ${label}`).join(", ")}`;
}
