import { useMemo } from "preact/hooks";
import type { AgentConnection } from "../../agent/agent-connection.ts";
import type { MessageToSend, Question, ThreadInfo } from "../../agent/entry.ts";
import { newThreadId } from "../../agent/new-thread-id.ts";
import type { ThreadLog } from "../../agent/thread-log.ts";
import { usePage } from "../../page.ts";

/** An image attached to the next message. */
export interface Attachment {
  readonly id: string;
  readonly name: string;
  readonly file: Blob;
  /** Base64. */
  readonly data: string;
}

export interface OpenThread {
  readonly connection: AgentConnection;
  readonly threadId: string;
  readonly thread: ThreadInfo | undefined;
  readonly log: ThreadLog | undefined;
  readonly draftOf: string;
  /** The call that waits for permission. */
  readonly question: Question | undefined;
  readonly isBusy: boolean;
  /** Returns false without a connection; the message is then not sent. */
  say(text: string, attachments?: readonly Attachment[]): boolean;
  send(message: MessageToSend): boolean;
  stop(): void;
}

/** True also between the runs of a flow, such as tasks in worktrees. */
function isWorking(thread: ThreadInfo | undefined): boolean {
  if (thread === undefined) return false;
  return thread.isRunning || (thread.isBusy === true && thread.pendingPrompt === undefined);
}

export function useThread(connection: AgentConnection, query: string | undefined): OpenThread {
  const { router, toasts } = usePage();
  const { copy } = router.location.value.query;
  const fresh = useMemo(newThreadId, [query]);
  const threadId = query ?? fresh;
  const thread = connection.threads.value?.find((one) => one.threadId === threadId);
  const log = thread === undefined ? undefined : connection.log(threadId);
  const begin = (): boolean => {
    if (connection.threads.peek()?.some((one) => one.threadId === threadId) === true) return true;
    const wish = copy === undefined ? { threadId } : { threadId, copy: true };
    return connection.send({ type: "thread.create", payload: wish });
  };
  const send = (message: MessageToSend): boolean => {
    if (!begin() || !connection.send(message)) {
      toasts.showError("No connection to the agent. Your message was not sent.");
      return false;
    }
    if (query === undefined) router.go(router.href({ screen: "agent", id: threadId }), "replace");
    return true;
  };
  return {
    ...{ connection, threadId, thread, log, send },
    draftOf: query ?? "a new thread",
    question: connection.questions.value.find((one) => one.threadId === threadId),
    isBusy: isWorking(thread) || log?.isRunning.value === true,
    say(text, attachments = []) {
      const images = attachments.map(({ data }) => ({ data }));
      const withImages = images.length > 0 && { attachments: images };
      const isSent = send({ type: "message.user", payload: { threadId, text, ...withImages } });
      if (isSent) connection.log(threadId).say(text);
      return isSent;
    },
    stop: () => void connection.send({ type: "run.cancel", payload: { threadId } }),
  };
}
