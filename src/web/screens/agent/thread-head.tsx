import { useEffect, useState } from "preact/hooks";
import type { AgentConnection } from "../../agent/agent-connection.ts";
import type { Turn, Usage } from "../../agent/entry.ts";
import { Age } from "../../components/age.tsx";
import { ItemLink } from "../../components/link.tsx";
import { Said, Stored } from "../../components/stored.tsx";
import { useQuestion } from "../../data/use-question.ts";
import { usePage } from "../../page.ts";
import { Dialog } from "../../shell/dialog.tsx";
import type { OpenThread } from "./use-thread.ts";
import { Work } from "./work.tsx";

interface UndoDialogProps {
  readonly connection: AgentConnection;
  readonly threadId: string;
  onClose(): void;
}

const SCOPES = {
  both: "Files and conversation",
  files: "Files alone",
  conversation: "Conversation alone",
} as const;

function UndoDialog({ connection, threadId, onClose }: UndoDialogProps) {
  const [turnId, setTurnId] = useState<string>();
  const [scope, setScope] = useState<keyof typeof SCOPES>("both");
  useEffect(() => {
    connection.answers.turns.value = undefined;
    connection.send({ type: "turn.list", payload: { threadId } });
  }, [connection, threadId]);
  const found = connection.answers.turns.value;
  const turns = found?.threadId === threadId ? [...found.turns].reverse() : undefined;
  const chosen = turns?.find((turn) => turn.turnId === turnId) ?? turns?.[0];
  return (
    <Dialog title="Take back a turn" onClose={onClose}>
      <div class="fields">
        {turns === undefined && <p class="quiet">Asking …</p>}
        {turns?.length === 0 && <p>There is nothing on this thread that can be taken back.</p>}
        {turns !== undefined && turns.length > 0 && (
          <fieldset class="turns">
            <legend>That turn and all that followed it</legend>
            {turns.map((turn) => (
              <TurnChoice
                key={turn.turnId}
                of={turn}
                isChosen={turn === chosen}
                onChoose={() => setTurnId(turn.turnId)}
              />
            ))}
          </fieldset>
        )}
        <label class="field">
          What is taken back
          <select
            value={scope}
            onChange={({ currentTarget }) => setScope(currentTarget.value as keyof typeof SCOPES)}
          >
            {Object.entries(SCOPES).map(([name, title]) => (
              <option key={name} value={name}>
                {title}
              </option>
            ))}
          </select>
        </label>
        {turns !== undefined && chosen !== undefined && <Consequence of={turns} from={chosen} />}
      </div>
      <footer>
        <button
          type="button"
          class="button danger"
          disabled={chosen === undefined}
          onClick={() => {
            if (chosen === undefined) return;
            connection.undo({ threadId, turnId: chosen.turnId, scope });
            onClose();
          }}
        >
          Take it back
        </button>
        <button type="button" class="button quiet" onClick={onClose}>
          Leave it
        </button>
      </footer>
    </Dialog>
  );
}

interface TurnChoiceProps {
  readonly of: Turn;
  readonly isChosen: boolean;
  onChoose(): void;
}

function TurnChoice({ of: { text, at }, isChosen, onChoose }: TurnChoiceProps) {
  return (
    <label class="check">
      <input type="radio" name="turn" checked={isChosen} onChange={onChoose} />
      <Stored as="span" text={text} /> <Age at={at} />
    </label>
  );
}

function Consequence({ of, from }: { readonly of: readonly Turn[]; readonly from: Turn }) {
  // Newest first: the turn and those before it in this list go.
  const gone = of.slice(0, of.indexOf(from) + 1);
  const sum = (count: (turn: Turn) => number) =>
    gone.reduce((total, turn) => total + count(turn), 0);
  const files = sum((turn) => turn.files);
  const writes = sum((turn) => turn.remembered);
  return (
    <p class="notice warn">
      {gone.length === 1 ? "1 turn" : `${gone.length} turns`}: changes of{" "}
      {files === 1 ? "1 file" : `${files} files`} and{" "}
      {writes === 1 ? "1 write" : `${writes} writes`} to memory.
    </p>
  );
}

interface ThreadHeadProps {
  readonly open: OpenThread;
  onOpen(dialog: ThreadDialogName): void;
}

export function ThreadHead({ open, onOpen }: ThreadHeadProps) {
  const { connection, thread, log } = open;
  const ready = connection.answers.ready.value;
  return (
    <header class="thread-head">
      <Stored as="h1" text={thread?.title ?? "New thread"} />
      <p class="quiet thread-facts">
        <Stored text={thread?.model ?? ready?.model ?? ""} />
        {ready !== undefined && <span>mode {ready.permissionMode}</span>}
        {ready !== undefined && (
          <span title={ready.sandbox}>sandbox {firstWords(ready.sandbox)}</span>
        )}
        <Spent of={log?.usage.value} />
      </p>
      <div class="thread-more">
        <button type="button" class="button work-button" onClick={() => onOpen("work")}>
          Tasks
        </button>
        {thread !== undefined && <FurtherActions open={open} onOpen={onOpen} />}
      </div>
    </header>
  );
}

function Spent({ of: usage }: { readonly of: Usage | undefined }) {
  return (
    <>
      {usage?.contextUsed !== undefined && (
        <span>{Math.round(usage.contextUsed * 100)} % of the context</span>
      )}
      {usage?.cost !== undefined && <span>${usage.cost.toFixed(usage.cost < 1 ? 3 : 2)}</span>}
    </>
  );
}

function FurtherActions({ open, onOpen }: ThreadHeadProps) {
  const { connection, threadId } = open;
  const { router } = usePage();
  const remove = () => {
    if (!confirm("Delete this thread and its session? This cannot be undone.")) return;
    connection.send({ type: "thread.delete", payload: { threadId } });
    router.go(router.href({ screen: "agent" }));
  };
  const actions = [
    { title: "Model", run: () => open.say("/model") },
    { title: "Effort", run: () => open.say("/effort") },
    { title: "What memory gave it", run: () => onOpen("told") },
    { title: "Take back a turn", run: () => onOpen("undo") },
    { title: "Delete thread", run: remove },
  ];
  return (
    <details class="thread-actions">
      <summary class="button">Thread</summary>
      <div class="item-actions">
        {actions.map(({ title, run }) => (
          <button key={title} type="button" class="button" onClick={run}>
            {title}
          </button>
        ))}
      </div>
    </details>
  );
}

function firstWords(text: string): string {
  return text.split(/[(:,]/, 1)[0]?.trim() ?? text;
}

export type ThreadDialogName = "told" | "undo" | "work";

interface ThreadDialogProps {
  readonly name: ThreadDialogName;
  readonly open: OpenThread;
  onClose(): void;
}

export function ThreadDialog({ name, open, onClose }: ThreadDialogProps) {
  const { connection, threadId } = open;
  switch (name) {
    case "told":
      return <ToldDialog connection={connection} threadId={threadId} onClose={onClose} />;
    case "undo":
      return <UndoDialog connection={connection} threadId={threadId} onClose={onClose} />;
    case "work":
      return (
        <Dialog title="Plan and tasks" onClose={onClose}>
          <Work open={open} />
        </Dialog>
      );
  }
}

interface ToldDialogProps {
  readonly connection: AgentConnection;
  readonly threadId: string;
  onClose(): void;
}

/** All that memory gave to the model on a thread. What is wrong is put right on its own screen. */
function ToldDialog({ connection, threadId, onClose }: ToldDialogProps) {
  useEffect(() => {
    connection.answers.told.value = undefined;
    connection.send({ type: "thread.told", payload: { threadId } });
  }, [connection, threadId]);
  const told = connection.answers.told.value;
  const isNothing = told?.atStart.length === 0 && told.since.length === 0;
  return (
    <Dialog title="What memory gave it" onClose={onClose}>
      <div class="fields" onClick={(event) => closeOnLink(event, onClose)}>
        {told === undefined && <p class="quiet">Asking …</p>}
        {isNothing && <p>Nothing so far since the thread was opened.</p>}
        {told !== undefined && told.since.length > 0 && (
          <section>
            <h3>With messages and calls</h3>
            <ul class="lines">
              {told.since.map(({ id, text }) => (
                <li key={id}>
                  <ItemLink id={id}>
                    <code class="id">{id}</code> <Said text={text} />
                  </ItemLink>
                </li>
              ))}
            </ul>
          </section>
        )}
        {told !== undefined && told.atStart.length > 0 && (
          <section>
            <h3>At the start, before the first message</h3>
            <ul class="lines">
              {told.atStart.map((id) => (
                <li key={id}>
                  <ItemLink id={id}>
                    <code class="id">{id}</code> <TextOf id={id} />
                  </ItemLink>
                </li>
              ))}
            </ul>
          </section>
        )}
        {!isNothing && (
          <p class="quiet">
            Is one of them wrong? Open it to correct, supersede or forget it; the label{" "}
            <code>told=never</code> keeps it and tells it to nobody unasked.
          </p>
        )}
      </div>
    </Dialog>
  );
}

function closeOnLink(event: Event, onClose: () => void): void {
  if (event.target instanceof Element && event.target.closest("a") !== null) onClose();
}

function TextOf({ id }: { readonly id: string }) {
  const episode = useQuestion("get_episode", { episode_id: id }, { when: id.startsWith("ep:") });
  const fact = useQuestion("get_fact", { fact_id: id }, { when: id.startsWith("fact:") });
  const concept = useQuestion(
    "get_concept",
    { concept_id: id },
    { when: id.startsWith("concept:") },
  );
  const text = episode.output?.content ?? fact.output?.statement ?? concept.output?.summary ?? "";
  return <Said text={text} />;
}
