import { messageOf } from "../../shared/errors.ts";
import type { Logger } from "../../shared/logger.ts";
import type { UserContent } from "../loop/user-content.ts";
import type { AgentEventBody } from "../ports/events.ts";
import type { MessageQueue } from "./message-queue.ts";

interface JoiningMessages {
  readonly queue: MessageQueue;
  readonly emit: (event: AgentEventBody) => void;
  readonly logger: Logger;
  readonly signal: AbortSignal;
  /** What the model gets of a typed message. */
  contentOf(text: string): Promise<UserContent>;
}

/** Takes the messages that wait into the run at work, and tells that they joined it. */
export async function takeJoining(joining: JoiningMessages): Promise<readonly UserContent[]> {
  const { queue, emit, logger, signal } = joining;
  const messages = queue.takeText();
  const contents: UserContent[] = [];
  try {
    for (const { text } of messages) contents.push(await joining.contentOf(text));
    signal.throwIfAborted();
  } catch (error) {
    queue.putBack(messages);
    throw error;
  }
  for (const { text } of messages) emit({ type: "status", phase: "interjection", message: text });
  // After the loop has put them into the history, which it does at once: a crash in between
  // must find them in one of the two.
  if (messages.length > 0) {
    setImmediate(() => {
      try {
        queue.settle(messages);
      } catch (error) {
        logger.error(messageOf(error));
      }
    });
  }
  return contents;
}
