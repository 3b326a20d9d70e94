import type { Action } from "../actions/action.ts";
import type { AgentConnection } from "./agent-connection.ts";
import type { Question } from "./entry.ts";

export type Decision = "once" | "session" | "always" | "no";

export function answerQuestion(
  connection: AgentConnection,
  { threadId, questionId }: Question,
  decision: Decision,
  message?: string,
): boolean {
  const statement =
    message === undefined || message.trim() === "" ? {} : { message: message.trim() };
  return connection.send({
    type: "permission.answer",
    payload: { threadId, questionId, decision, ...statement },
  });
}

/** Key bindings for answering the question that `of` returns. */
export function questionActions(
  of: () => { readonly connection: AgentConnection; readonly question: Question } | undefined,
  deny: () => void,
): readonly Action[] {
  const offersMore = () => (of()?.question.always.length ?? 0) > 0;
  const isOpen = () => of() !== undefined;
  const answer = (decision: Decision) => () => {
    const present = of();
    if (present !== undefined) answerQuestion(present.connection, present.question, decision);
  };
  const shared = { group: "This screen" } as const;
  return [
    {
      ...shared,
      id: "allow-once",
      title: "Allow once",
      keys: ["1"],
      applies: isOpen,
      run: answer("once"),
    },
    {
      ...shared,
      id: "allow-always",
      title: "Always in this project",
      keys: ["2"],
      applies: offersMore,
      run: answer("always"),
    },
    {
      ...shared,
      id: "deny",
      title: "Deny",
      keys: ["3"],
      applies: isOpen,
      run: deny,
    },
    {
      ...shared,
      id: "allow-session",
      title: "In this thread",
      keys: ["4"],
      applies: offersMore,
      run: answer("session"),
    },
  ];
}
