import { useState } from "preact/hooks";
import { Composer } from "./composer.tsx";
import { PermissionCard } from "./permission-card.tsx";
import { PromptCard } from "./prompt-card.tsx";
import { QueueList } from "./queue-list.tsx";
import { TaskList } from "./task-list.tsx";
import { ThreadDialog, type ThreadDialogName } from "./thread-dialog.tsx";
import { ThreadHead } from "./thread-head.tsx";
import { ThreadStream } from "./thread-stream.tsx";
import { useDenial } from "./use-denial.ts";
import type { OpenThread } from "./use-thread.ts";
import { useThreadActions } from "./use-thread-actions.ts";

export function ThreadView({ open }: { readonly open: OpenThread }) {
  const { connection, threadId, log, question } = open;
  const denial = useDenial();
  const [dialog, setDialog] = useState<ThreadDialogName>();
  useThreadActions(open, () => denial.begin(question));
  const prompt = log?.prompt.value;
  return (
    <div class="thread">
      <ThreadHead open={open} onOpen={setDialog} />
      {!connection.isLive.value && <ConnectionLost />}
      <ThreadStream connection={connection} threadId={threadId} log={log}>
        {log !== undefined && <TaskList of={log.tasks.value} />}
        {question !== undefined && (
          <PermissionCard
            key={question.questionId}
            connection={connection}
            question={question}
            hasKeys
            {...denial.on(question)}
          />
        )}
        {prompt !== undefined && <PromptCard of={prompt} onAnswer={open.say} />}
      </ThreadStream>
      {log !== undefined && log.queue.value.length > 0 && (
        <QueueList connection={connection} threadId={threadId} queue={log.queue.value} />
      )}
      <Composer
        connection={connection}
        draftOf={open.draftOf}
        isBusy={open.isBusy}
        onSend={open.say}
        onStop={open.stop}
      />
      {dialog !== undefined && (
        <ThreadDialog name={dialog} open={open} onClose={() => setDialog(undefined)} />
      )}
    </div>
  );
}

export function ConnectionLost() {
  return (
    <p class="notice warn" role="status">
      The connection to the agent is lost. What was said stays; it goes on once it is back.
    </p>
  );
}
