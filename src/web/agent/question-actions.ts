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

interface OpenQuestion {
  readonly connection: AgentConnection;
  readonly question: Question;
}

/** Key bindings for answering a permission request. */
export function questionActions(
  open: OpenQuestion | undefined,
  deny: () => void,
): readonly Action[] {
  const offersMore = () => (open?.question.always.length ?? 0) > 0;
  const isOpen = () => open !== undefined;
  const answer = (decision: Decision) => () =>
    open !== undefined && answerQuestion(open.connection, open.question, decision);
  const group = "This screen";
  return [
    {
      ...{ group, id: "allow-once", title: "Allow once", keys: ["1"] },
      ...{ applies: isOpen, run: answer("once") },
    },
    {
      ...{ group, id: "allow-always", title: "Always in this project", keys: ["2"] },
      ...{ applies: offersMore, run: answer("always") },
    },
    { ...{ group, id: "deny", title: "Deny", keys: ["3"] }, applies: isOpen, run: deny },
    {
      ...{ group, id: "allow-session", title: "In this thread", keys: ["4"] },
      ...{ applies: offersMore, run: answer("session") },
    },
  ];
}
