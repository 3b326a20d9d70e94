import type { Caller } from "../../shared/caller.ts";
import { CairnError } from "../../shared/errors.ts";
import type { ClientMessage, ClientMessageType } from "./client-messages.ts";

/** An allowlist: a new message type is refused to approvers until it is named here. */
const APPROVER_MESSAGES: ReadonlySet<ClientMessageType> = new Set([
  "session.start",
  "session.stop",
  "thread.list",
  "thread.subscribe",
  "thread.history",
  "queue.list",
  "permission.answer",
  "run.cancel",
]);

/**
 * Throws forbidden for a message that the caller's token does not allow. A token of the scope `approve` watches
 * threads, answers permission questions one call at a time, and stops runs. It sends no message to the agent,
 * changes nothing, and allows nothing for later calls.
 */
export function requireAllowed(message: ClientMessage, { name, scope }: Caller): void {
  if (scope !== "approve") return;
  const whose = `the token of ${name} has the scope approve, which answers permission questions and stops runs`;
  if (!APPROVER_MESSAGES.has(message.type)) {
    throw new CairnError("forbidden", `${message.type}: ${whose}. Use the token of the server.`);
  }
  const { decision } = message.type === "permission.answer" ? message.payload : {};
  if (decision === "session" || decision === "always") {
    throw new CairnError(
      "forbidden",
      `decision: ${whose}, with "once" or "no". Allow later calls with the token of the server.`,
    );
  }
}
