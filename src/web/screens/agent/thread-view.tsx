import { useMemo, useRef, useState } from "preact/hooks";
import type { Action } from "../../actions/action.ts";
import type { AgentConnection } from "../../agent/agent-connection.ts";
import type { Queued } from "../../agent/entry.ts";
import { newThreadId } from "../../agent/new-thread-id.ts";
import { questionActions } from "../../agent/question-actions.ts";
import { Stored } from "../../components/stored.tsx";
import { useScreenActions } from "../../components/use-screen-actions.ts";
import { usePage } from "../../page.ts";
import { Composer } from "./composer.tsx";
import { PermissionCard } from "./permission-card.tsx";
import { PromptCard } from "./prompt-card.tsx";
import { TaskList } from "./task-list.tsx";
import { ThreadDialog, type ThreadDialogName, ThreadHead } from "./thread-head.tsx";
import { ThreadStream } from "./thread-stream.tsx";
import { useDenial } from "./use-denial.ts";
import type { OpenThread } from "./use-thread.ts";

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

/** The keys of a thread; `onDeny` opens the field for what should be done instead. */
function useThreadActions(open: OpenThread, onDeny: () => void): void {
  const { router } = usePage();
  const present = useRef({ open, onDeny });
  present.current = { open, onDeny };
  const { connection, threadId } = open;
  useScreenActions(
    useMemo((): readonly Action[] => {
      const group = "This screen";
      const asked = () => {
        const { question } = present.current.open;
        return question === undefined ? undefined : { connection, question };
      };
      return [
        ...questionActions(asked, () => present.current.onDeny()),
        {
          ...{ id: "new-thread", title: "New thread", group, keys: ["n"] },
          run: () => router.go(router.href({ screen: "agent", id: newThreadId() })),
        },
        {
          ...{ id: "stop", title: "Stop the run", group, keys: ["Escape"] },
          run: () => present.current.open.stop(),
        },
        {
          ...{ id: "write", title: "Write to the agent", group, keys: ["w"] },
          run: () => document.querySelector<HTMLElement>(".composer textarea")?.focus(),
        },
      ];
    }, [connection, threadId, router]),
  );
}

interface QueueListProps {
  readonly connection: AgentConnection;
  readonly threadId: string;
  readonly queue: readonly Queued[];
}

function QueueList({ connection, threadId, queue }: QueueListProps) {
  const [edited, setEdited] = useState<string>();
  const change = (id: string, wish: { text?: string; place?: number }) =>
    connection.send({ type: "queue.change", payload: { threadId, id, ...wish } });
  return (
    <ol class="queue" aria-label="Waits for the run">
      {queue.map(({ id, text }, place) => (
        <li key={id}>
          {edited === id ? (
            <QueuedWords
              text={text}
              onDone={(words) => {
                if (words === undefined || change(id, { text: words })) setEdited(undefined);
              }}
            />
          ) : (
            <>
              <Stored as="span" class="queue-text" text={text} />
              <button type="button" class="button quiet" onClick={() => setEdited(id)}>
                Edit
              </button>
              {place > 0 && (
                <button
                  type="button"
                  class="icon-button"
                  aria-label="Say it earlier"
                  onClick={() => change(id, { place: place - 1 })}
                >
                  ↑
                </button>
              )}
              <button
                type="button"
                class="icon-button"
                aria-label="Take it back"
                onClick={() => connection.send({ type: "queue.remove", payload: { threadId, id } })}
              >
                ×
              </button>
            </>
          )}
        </li>
      ))}
    </ol>
  );
}

interface QueuedWordsProps {
  readonly text: string;
  onDone(words: string | undefined): void;
}

function QueuedWords({ text, onDone }: QueuedWordsProps) {
  const [words, setWords] = useState(text);
  return (
    <form
      class="queue-edit"
      onSubmit={(event) => {
        event.preventDefault();
        if (words.trim() !== "") onDone(words);
      }}
    >
      <textarea
        rows={2}
        aria-label="Words of the message that waits"
        value={words}
        onInput={({ currentTarget }) => setWords(currentTarget.value)}
      />
      <button type="submit" class="button primary">
        Save
      </button>
      <button type="button" class="button" onClick={() => onDone(undefined)}>
        Leave it
      </button>
    </form>
  );
}
