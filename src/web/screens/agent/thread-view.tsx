import type { Signal } from "@preact/signals";
import { useMemo, useRef, useState } from "preact/hooks";
import type { Action } from "../../actions/action.ts";
import type { AgentConnection } from "../../agent/agent-connection.ts";
import type { Entry, Queued } from "../../agent/entry.ts";
import { newThreadId } from "../../agent/new-thread-id.ts";
import { questionActions } from "../../agent/question-actions.ts";
import type { Prompt } from "../../agent/thread-log.ts";
import { Stored } from "../../components/stored.tsx";
import { type Part, Suspense } from "../../components/suspense.tsx";
import { useScreenActions } from "../../components/use-screen-actions.ts";
import { usePage } from "../../page.ts";
import { Composer, type EditedMessage } from "./composer.tsx";
import { Markdown } from "./markdown.tsx";
import { PermissionCard, useDenial } from "./permission-card.tsx";
import { PromptCard } from "./prompt-card.tsx";
import { TaskList } from "./task-list.tsx";
import type { ThreadDialogName, ThreadDialogProps } from "./thread-dialogs.tsx";
import { ThreadHead } from "./thread-head.tsx";
import { ThreadStream } from "./thread-stream.tsx";
import type { OpenThread } from "./use-thread.ts";

const DIALOG: Part<ThreadDialogProps> = {
  load: async () => (await import("./thread-dialogs.tsx")).ThreadDialog,
};

export function ThreadView({ open }: { readonly open: OpenThread }) {
  const { connection, threadId, log, question } = open;
  const denial = useDenial();
  const [dialog, setDialog] = useState<ThreadDialogName>();
  const editing = useEditing(open);
  const prompt = log?.prompt.value;
  const isApprover = connection.isApprover;
  useThreadActions(open, () => denial.begin(question), isApprover ? undefined : prompt);
  return (
    <div class="thread">
      <ThreadHead open={open} onOpen={setDialog} />
      {!connection.isLive.value && <ConnectionLost />}
      <ThreadStream
        connection={connection}
        threadId={threadId}
        log={log}
        {...(!isApprover && !open.isBusy && { onEdit: editing.begin })}
      >
        {question !== undefined && (
          <PermissionCard
            key={question.questionId}
            connection={connection}
            question={question}
            hasKeys
            {...denial.on(question)}
          />
        )}
        {prompt !== undefined && !isApprover && (
          <PromptCard of={prompt} hasKeys onAnswer={open.say}>
            <Markdown text={prompt.text} />
          </PromptCard>
        )}
      </ThreadStream>
      {log !== undefined && <TaskList of={log.tasks.value} />}
      {log !== undefined && log.queue.value.length > 0 && (
        <QueueList connection={connection} threadId={threadId} queue={log.queue.value} />
      )}
      {isApprover ? (
        <ApproverFoot open={open} />
      ) : (
        <Composer
          open={open}
          edited={editing.edited}
          lastMessage={() => lastMessage(log?.entries.peek() ?? [])}
        />
      )}
      {dialog !== undefined && (
        <Suspense
          part={DIALOG}
          props={{ name: dialog, open, onClose: () => setDialog(undefined) }}
        />
      )}
    </div>
  );
}

function ConnectionLost() {
  return (
    <p class="notice warn" role="status">
      Connection to the agent lost. Reconnecting …
    </p>
  );
}

function ApproverFoot({ open: { isBusy, stop } }: { readonly open: OpenThread }) {
  return (
    <div class="composer composer-foot">
      <span class="quiet">This token answers permission requests and stops runs.</span>
      <button type="button" class="button danger" disabled={!isBusy} onClick={stop}>
        Stop
      </button>
    </div>
  );
}

type Entries = readonly Signal<Entry>[];

function lastMessage(entries: Entries): string | undefined {
  const entry = entries.findLast((one) => one.peek().kind === "user")?.peek();
  return entry?.kind === "user" ? entry.text : undefined;
}

/** Maximum characters of a turn's name, which is the beginning of its first line. */
const TURN_NAME_LENGTH = 200;

function turnName(text: string): string {
  return (text.trim().split("\n", 1)[0] ?? "").slice(0, TURN_NAME_LENGTH);
}

function useEditing({ connection, threadId, log, say }: OpenThread) {
  const { toasts } = usePage();
  const [edited, setEdited] = useState<EditedMessage>();
  const begin = (of: Signal<Entry>) => {
    const entry = of.peek();
    if (entry.kind !== "user") return;
    connection.answers.turns.value = undefined;
    connection.send({ type: "turn.list", payload: { threadId } });
    const name = turnName(entry.text);
    const entries = log?.entries.peek() ?? [];
    const later = entries
      .slice(entries.indexOf(of) + 1)
      .map((one) => one.peek())
      .filter((one) => one.kind === "user" && turnName(one.text) === name).length;
    setEdited({
      text: entry.text,
      onCancel: () => setEdited(undefined),
      async onSend(text, revertsFiles) {
        const { turns = [] } = connection.answers.turns.peek() ?? {};
        const turn = turns.filter((one) => one.text === name).at(-1 - later);
        if (turn === undefined) {
          toasts.tellError("This message can no longer be reverted. Send it as a new message.");
          return false;
        }
        const scope = revertsFiles ? "both" : "conversation";
        const isReverted = await new Promise<boolean>((resolve) => {
          connection.undo({ threadId, turnId: turn.turnId, scope }, resolve);
        });
        if (!isReverted || !say(text)) return false;
        setEdited(undefined);
        return true;
      },
    });
  };
  return { edited, begin };
}

/** `onDeny` opens the field for alternative instructions. */
function useThreadActions(open: OpenThread, onDeny: () => void, prompt: Prompt | undefined): void {
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
      const choices = (prompt?.choices ?? []).map(
        ({ key, label }): Action => ({
          ...{ id: `choice-${key}`, title: label, group, keys: [key] },
          applies: () => asked() === undefined,
          run: () => present.current.open.say(key),
        }),
      );
      return [
        ...choices,
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
          // Without `/` here, a command that is typed outside the field would search memory.
          ...{ id: "write", title: "Write to the agent", group, keys: ["w", "/"] },
          run: () => document.querySelector<HTMLElement>(".composer textarea")?.focus(),
        },
      ];
    }, [connection, threadId, router, prompt]),
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
  if (connection.isApprover) return null;
  return (
    <ol class="queue" aria-label="Queued messages">
      {queue.map(({ id, text }, index) => (
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
              {index > 0 && (
                <button
                  type="button"
                  class="icon-button"
                  aria-label="Move up"
                  onClick={() => change(id, { place: index - 1 })}
                >
                  ↑
                </button>
              )}
              <button
                type="button"
                class="icon-button"
                aria-label="Remove"
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
        aria-label="Queued message"
        value={words}
        onInput={({ currentTarget }) => setWords(currentTarget.value)}
      />
      <button type="submit" class="button primary">
        Save
      </button>
      <button type="button" class="button" onClick={() => onDone(undefined)}>
        Cancel
      </button>
    </form>
  );
}
