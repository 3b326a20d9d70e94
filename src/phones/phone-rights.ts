import type { ClientMessage, ClientMessageType } from "../server/ui/index.ts";
import { CairnError } from "../shared/errors.ts";

/** A message that is not named here is refused to phones, new ones too. */
const OF_PHONES: ReadonlySet<ClientMessageType> = new Set([
  "session.start",
  "session.stop",
  "thread.list",
  "thread.subscribe",
  "thread.history",
  "queue.list",
  "permission.answer",
]);

/**
 * Throws forbidden for a message that a paired phone may not send. A phone sees threads and answers what they
 * ask, one call at a time: it says nothing to the agent, changes nothing, and allows nothing for later.
 */
export function requireForPhone(message: ClientMessage): void {
  if (!OF_PHONES.has(message.type)) {
    throw new CairnError(
      "forbidden",
      `${message.type}: a paired phone answers questions and looks on. Do this on the page of the computer.`,
    );
  }
  const { decision } = message.type === "permission.answer" ? message.payload : {};
  if (decision === "session" || decision === "always") {
    throw new CairnError(
      "forbidden",
      `decision: a paired phone answers "once" or "no". What is allowed from now on is said on the computer.`,
    );
  }
}
