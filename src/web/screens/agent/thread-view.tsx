import type { Signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Action } from "../../actions/action.ts";
import type { AgentConnection } from "../../agent/agent-connection.ts";
import type { Entry, Queued } from "../../agent/entry.ts";
import { newThreadId } from "../../agent/new-thread-id.ts";
import { questionActions } from "../../agent/question-actions.ts";
import type { Prompt, ThreadLog } from "../../agent/thread-log.ts";
import { Button, Form, IconButton } from "../../components/controls.tsx";
import { Stored } from "../../components/stored.tsx";
import { type Part, Suspense } from "../../components/suspense.tsx";
import { useScreenActions } from "../../components/use-screen-actions.ts";
import { Markdown } from "../../markdown/markdown.tsx";
import { usePage } from "../../page.ts";
import { Composer, type EditedMessage } from "./composer.tsx";
import { PermissionCard, PromptCard, useDenial } from "./permission-card.tsx";
import { TaskList } from "./task-list.tsx";
import type { ThreadDialogName, ThreadDialogProps } from "./thread-dialogs.tsx";
import { ThreadEntry } from "./thread-entry.tsx";
import { ThreadHead } from "./thread-head.tsx";
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
          <PromptCard prompt={prompt} hasKeys onAnswer={open.say}>
            <Markdown text={prompt.text} />
          </PromptCard>
        )}
      </ThreadStream>
      {log !== undefined && <TaskList tasks={log.tasks.value} />}
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
      <Button kind="danger" disabled={!isBusy} onClick={stop}>
        Stop
      </Button>
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
  const begin = (edited: Signal<Entry>) => {
    const entry = edited.peek();
    if (entry.kind !== "user") return;
    connection.responses.turns.value = undefined;
    connection.send({ type: "turn.list", payload: { threadId } });
    const name = turnName(entry.text);
    const entries = log?.entries.peek() ?? [];
    const later = entries
      .slice(entries.indexOf(edited) + 1)
      .map((one) => one.peek())
      .filter((one) => one.kind === "user" && turnName(one.text) === name).length;
    setEdited({
      text: entry.text,
      onCancel: () => setEdited(undefined),
      async onSend(text, revertsFiles) {
        const { turns = [] } = connection.responses.turns.peek() ?? {};
        const turn = turns.filter((one) => one.text === name).at(-1 - later);
        if (turn === undefined) {
          toasts.showError("This message cannot be reverted anymore. Send it as a new message.");
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
  const { connection, question, say, stop } = open;
  const group = "This screen";
  const choices = (prompt?.choices ?? []).map(
    ({ key, label }): Action => ({
      ...{ id: `choice-${key}`, title: label, group, keys: [key] },
      applies: () => question === undefined,
      run: () => say(key),
    }),
  );
  useScreenActions([
    ...choices,
    ...questionActions(question && { connection, question }, onDeny),
    {
      ...{ id: "new-thread", title: "New thread", group, keys: ["n"] },
      run: () => router.go(router.href({ screen: "agent", id: newThreadId() })),
    },
    { id: "stop", title: "Stop the run", group, keys: ["Escape"], run: stop },
    {
      // Without `/` here, a command that is typed outside the field would search memory.
      ...{ id: "write", title: "Write to the agent", group, keys: ["w", "/"] },
      run: () => document.querySelector<HTMLElement>(".composer textarea")?.focus(),
    },
  ]);
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
            <QueuedMessageForm
              text={text}
              onDone={(words) => {
                if (words === undefined || change(id, { text: words })) setEdited(undefined);
              }}
            />
          ) : (
            <>
              <Stored as="span" class="queue-text" text={text} />
              <Button kind="quiet" onClick={() => setEdited(id)}>
                Edit
              </Button>
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
              <IconButton
                icon="close"
                label="Remove"
                onClick={() => connection.send({ type: "queue.remove", payload: { threadId, id } })}
              />
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

function QueuedMessageForm({ text, onDone }: QueuedWordsProps) {
  const [words, setWords] = useState(text);
  return (
    <Form
      class="queue-edit"
      onSubmit={() => {
        if (words.trim() !== "") onDone(words);
      }}
    >
      <textarea
        rows={2}
        aria-label="Queued message"
        value={words}
        onInput={({ currentTarget }) => setWords(currentTarget.value)}
      />
      <Button type="submit" kind="primary">
        Save
      </Button>
      <Button onClick={() => onDone(undefined)}>Cancel</Button>
    </Form>
  );
}

interface StreamProps {
  readonly connection: AgentConnection;
  readonly threadId: string;
  readonly log: ThreadLog | undefined;
  onEdit?(entry: Signal<Entry>): void;
  readonly children: ComponentChildren;
}

const NEAR = 80;

function ThreadStream(props: StreamProps) {
  const { connection, threadId, log, onEdit, children } = props;
  const entries = log?.entries.value ?? [];
  return (
    <StreamBox shown={threadId}>
      {entries.length === 0 && (
        <div class="empty">
          <p>Describe a task. Relevant memories are added automatically.</p>
        </div>
      )}
      {entries.map((entry, index) => (
        <ThreadEntry
          // biome-ignore lint/suspicious/noArrayIndexKey: entries are only added at the end
          key={index}
          entrySignal={entry}
          connection={connection}
          threadId={threadId}
          {...(onEdit !== undefined && { onEdit })}
        />
      ))}
      <Doing log={log} />
      {children}
    </StreamBox>
  );
}

interface StreamBoxProps {
  readonly shown: string;
  readonly children: ComponentChildren;
}

function StreamBox({ shown, children }: StreamBoxProps) {
  const box = useRef<HTMLDivElement>(null);
  useFollowedEnd(box, shown);
  return (
    <div class="stream" ref={box} tabIndex={0} role="log" aria-label="Conversation">
      {children}
    </div>
  );
}

function Doing({ log }: { readonly log: ThreadLog | undefined }) {
  if (log === undefined || !log.isRunning.value || log.prompt.value !== undefined) return null;
  const doing = log.doing.value;
  return (
    <p class="doing" role="status">
      {doing === "" ? "Working …" : `${doing[0]?.toUpperCase()}${doing.slice(1)} …`}
    </p>
  );
}

function useFollowedEnd(box: { readonly current: HTMLDivElement | null }, threadId: string): void {
  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    let isAtEnd = true;
    const toEnd = () => {
      if (isAtEnd) element.scrollTop = element.scrollHeight;
    };
    const onScroll = () => {
      isAtEnd = element.scrollHeight - element.scrollTop - element.clientHeight < NEAR;
    };
    element.addEventListener("scroll", onScroll, { passive: true });
    const changes = new MutationObserver(toEnd);
    changes.observe(element, { childList: true, subtree: true, characterData: true });
    toEnd();
    return () => {
      element.removeEventListener("scroll", onScroll);
      changes.disconnect();
    };
  }, [box, threadId]);
}
