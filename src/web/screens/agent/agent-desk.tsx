import { useMemo, useRef, useState } from "preact/hooks";
import type { Action } from "../../actions/action.ts";
import type { AgentConnection } from "../../agent/agent-connection.ts";
import { newThreadId } from "../../agent/new-thread-id.ts";
import type { Attachment } from "../../agent/pasted-images.ts";
import { questionActions } from "../../agent/question-actions.ts";
import { useScreenActions } from "../../components/use-screen-actions.ts";
import { usePage } from "../../page.ts";
import { Composer } from "./composer.tsx";
import { PermissionCard } from "./permission-card.tsx";
import { PromptCard } from "./prompt-card.tsx";
import { QueueList } from "./queue-list.tsx";
import { TaskList } from "./task-list.tsx";
import { ThreadHead } from "./thread-head.tsx";
import { ThreadList } from "./thread-list.tsx";
import { ThreadStream } from "./thread-stream.tsx";
import { ToldDialog } from "./told-dialog.tsx";
import { UndoDialog } from "./undo-dialog.tsx";

interface DeskProps {
  readonly connection: AgentConnection;
  /** Undefined: a conversation that is not begun yet. */
  readonly threadId: string | undefined;
}

/** The threads, what is said on one of them, and where a person writes. */
export function AgentDesk({ connection, threadId: asked }: DeskProps) {
  const { router, toasts } = usePage();
  const fresh = useMemo(newThreadId, [asked]);
  const threadId = asked ?? fresh;
  const thread = connection.threads.value?.find((one) => one.threadId === threadId);
  const log = thread === undefined ? undefined : connection.log(threadId);
  const question = connection.questions.value.find((one) => one.threadId === threadId);
  const prompt = log?.prompt.value;
  const [denied, setDenied] = useState<string>();
  const [dialog, setDialog] = useState<"undo" | "told">();
  const present = useRef({ connection, question });
  present.current = { connection, question };
  const say = (text: string, attachments: readonly Attachment[] = []): boolean => {
    const isKnown = connection.threads.peek()?.some((one) => one.threadId === threadId);
    if (isKnown !== true && !connection.send({ type: "thread.create", payload: { threadId } })) {
      toasts.tellError("There is no connection to the agent. What you wrote stays.");
      return false;
    }
    const images = attachments.map(({ data }) => ({ data }));
    const isSent = connection.send({
      type: "message.user",
      payload: { threadId, text, ...(images.length > 0 && { attachments: images }) },
    });
    if (!isSent) {
      toasts.tellError("There is no connection to the agent. What you wrote stays.");
      return false;
    }
    connection.log(threadId).say(text);
    if (asked === undefined) router.go(router.href({ screen: "agent", id: threadId }), "replace");
    return true;
  };
  const stop = () => connection.send({ type: "run.cancel", payload: { threadId } });
  useScreenActions(
    useMemo(
      (): readonly Action[] => [
        ...questionActions(
          () => {
            const { question: open } = present.current;
            return open === undefined ? undefined : { connection, question: open };
          },
          () => setDenied(present.current.question?.questionId),
        ),
        {
          id: "new-thread",
          title: "New thread",
          group: "This screen",
          keys: ["n"],
          run: () => router.go(router.href({ screen: "agent", id: newThreadId() })),
        },
        { id: "stop", title: "Stop the run", group: "This screen", keys: ["Escape"], run: stop },
        {
          id: "write",
          title: "Write to the agent",
          group: "This screen",
          keys: ["w"],
          run: () => document.querySelector<HTMLElement>(".composer textarea")?.focus(),
        },
      ],
      [connection, threadId],
    ),
  );
  const isBusy = thread?.isRunning === true || log?.isRunning.value === true;
  return (
    <div class="agent">
      <ThreadList connection={connection} shown={threadId} />
      <div class="thread">
        <ThreadHead
          connection={connection}
          thread={thread}
          log={log}
          onSay={say}
          onTold={() => setDialog("told")}
          onUndo={() => setDialog("undo")}
          onDelete={() => {
            connection.send({ type: "thread.delete", payload: { threadId } });
            router.go(router.href({ screen: "agent" }));
          }}
        />
        {!connection.isLive.value && (
          <p class="notice warn" role="status">
            The connection to the agent is lost. What was said stays; it goes on once it is back.
          </p>
        )}
        <ThreadStream connection={connection} threadId={threadId} log={log}>
          {log !== undefined && <TaskList of={log.tasks.value} />}
          {question !== undefined && (
            <PermissionCard
              key={question.questionId}
              connection={connection}
              question={question}
              hasKeys
              isDenying={denied === question.questionId}
              onDeny={(isDenying) => setDenied(isDenying ? question.questionId : undefined)}
            />
          )}
          {prompt !== undefined && <PromptCard of={prompt} onAnswer={say} />}
        </ThreadStream>
        {log !== undefined && log.queue.value.length > 0 && (
          <QueueList connection={connection} threadId={threadId} queue={log.queue.value} />
        )}
        <Composer
          key={asked ?? ""}
          connection={connection}
          draftOf={asked ?? "a new thread"}
          isBusy={isBusy}
          onSend={say}
          onStop={stop}
        />
      </div>
      {dialog !== undefined && (
        <ThreadDialog
          kind={dialog}
          connection={connection}
          threadId={threadId}
          onClose={() => setDialog(undefined)}
        />
      )}
    </div>
  );
}

interface ThreadDialogProps {
  readonly kind: "undo" | "told";
  readonly connection: AgentConnection;
  readonly threadId: string;
  onClose(): void;
}

function ThreadDialog({ kind, ...rest }: ThreadDialogProps) {
  return kind === "undo" ? <UndoDialog {...rest} /> : <ToldDialog {...rest} />;
}
