import { CairnError } from "../kernel/errors.ts";
import type { ClientMessage, ClientMessageType } from "./client-messages.ts";

/**
 * What a client may send. `answer` sees threads and answers what they ask, one call at a time: it says
 * nothing to the agent, changes nothing, and allows nothing for later.
 */
export type ClientRights = "everything" | "answer";

/** A message that is not named here is refused to those who only answer, new ones too. */
const OF_ANSWERERS: ReadonlySet<ClientMessageType> = new Set([
  "session.start",
  "session.stop",
  "thread.list",
  "thread.subscribe",
  "thread.history",
  "queue.list",
  "permission.answer",
]);

/** Throws forbidden for a message that is more than the client may send. */
export function requireRight(message: ClientMessage, rights: ClientRights): void {
  if (rights === "everything") return;
  if (!OF_ANSWERERS.has(message.type)) {
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
