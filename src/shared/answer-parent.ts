import { endWithParent } from "./end-with-parent.ts";
import { type ErrorBody, isCairnError, messageOf } from "./errors.ts";

/** The messages that a program in its own process sends to the process that asked it. */
export type OwnProcessMessage =
  | { readonly kind: "note" | "answer"; readonly value?: unknown }
  | { readonly kind: "refusal"; readonly error: ErrorBody }
  | { readonly kind: "failure" | "ended"; readonly reason: string };

/**
 * Answers the one question of `askOwnProcess`, then ends. It ends at the latest when the asking process does.
 */
export function answerParent<Question>(
  answer: (question: Question, note: (value: unknown) => void) => Promise<unknown>,
): void {
  endWithParent();
  const note = (value: unknown) => void process.send?.({ kind: "note", value });
  process.once("message", (question) => {
    answer(question as Question, note)
      .then((value): OwnProcessMessage => ({ kind: "answer", value }))
      .catch(messageOfError)
      .then((message) => process.send?.(message, () => process.disconnect()));
  });
}

function messageOfError(error: unknown): OwnProcessMessage {
  if (isCairnError(error)) return { kind: "refusal", error: error.toBody() };
  return { kind: "failure", reason: messageOf(error) };
}
