import type { ElicitRequestFormParams, ElicitResult } from "@modelcontextprotocol/sdk/types.js";
import { CairnError } from "../../../shared/errors.ts";

/** Prompts the user through the client; undefined if the client cannot. */
export type AskPerson = (
  question: Pick<ElicitRequestFormParams, "message" | "requestedSchema">,
) => Promise<ElicitResult>;

/** Time for the user to respond. */
export const TIMEOUT_MS = 5 * 60_000;

export async function requireYes(ask: AskPerson, message: string): Promise<void> {
  const { action } = await ask({ message, requestedSchema: { type: "object", properties: {} } });
  if (action !== "accept") throw refusedConsent(action);
}

/** Returns the user's choice. Throws conflict if none was made. */
export async function requireChoice<const Choice extends string>(
  ask: AskPerson,
  message: string,
  choices: Readonly<Record<Choice, string>>,
): Promise<Choice> {
  const names = Object.keys(choices) as Choice[];
  const enumNames = names.map((name) => choices[name]);
  const { action, content } = await ask({
    message,
    requestedSchema: {
      type: "object",
      properties: { choice: { type: "string", title: "What holds?", enum: names, enumNames } },
      required: ["choice"],
    },
  });
  const choice = names.find((name) => name === content?.choice);
  if (action !== "accept" || choice === undefined) throw refusedConsent(action);
  return choice;
}

function refusedConsent(action: ElicitResult["action"]): CairnError {
  const outcome = action === "decline" ? "said no" : "gave no answer";
  return new CairnError(
    "conflict",
    `The user was asked and ${outcome}: nothing was changed. Do not retry unless the user requests it.`,
  );
}
