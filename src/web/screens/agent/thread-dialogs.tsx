import { useEffect, useState } from "preact/hooks";
import type { AgentConnection } from "../../agent/agent-connection.ts";
import type { Turn } from "../../agent/entry.ts";
import { Age } from "../../components/age.tsx";
import { Button, SelectField, TextField } from "../../components/controls.tsx";
import { ItemLink, ItemText } from "../../components/link.tsx";
import { Stored } from "../../components/stored.tsx";
import { Dialog, FormDialog } from "../../shell/dialog.tsx";
import type { OpenThread } from "./use-thread.ts";

interface UndoDialogProps {
  readonly connection: AgentConnection;
  readonly threadId: string;
  onClose(): void;
}

const SCOPES = {
  both: "Files and conversation",
  files: "Files only",
  conversation: "Conversation only",
} as const;

function UndoDialog({ connection, threadId, onClose }: UndoDialogProps) {
  const [turnId, setTurnId] = useState<string>();
  const [scope, setScope] = useState<keyof typeof SCOPES>("both");
  useEffect(() => {
    connection.responses.turns.value = undefined;
    connection.send({ type: "turn.list", payload: { threadId } });
  }, [connection, threadId]);
  const found = connection.responses.turns.value;
  const turns = found?.threadId === threadId ? [...found.turns].reverse() : undefined;
  const chosen = turns?.find((turn) => turn.turnId === turnId) ?? turns?.[0];
  return (
    <Dialog title="Undo a turn" onClose={onClose}>
      <div class="fields">
        {turns === undefined && <p class="quiet">Loading …</p>}
        {turns?.length === 0 && <p>This thread has no turn that can be undone.</p>}
        {turns !== undefined && turns.length > 0 && (
          <fieldset class="turns">
            <legend>Undo this turn and everything after it</legend>
            {turns.map((turn) => (
              <TurnChoice
                key={turn.turnId}
                turn={turn}
                isChosen={turn === chosen}
                onChoose={() => setTurnId(turn.turnId)}
              />
            ))}
          </fieldset>
        )}
        <SelectField
          label="Undo"
          value={scope}
          options={Object.entries(SCOPES)}
          onChange={(value) => setScope(value as keyof typeof SCOPES)}
        />
        {turns !== undefined && chosen !== undefined && <Consequence turns={turns} from={chosen} />}
      </div>
      <footer>
        <Button
          kind="danger"
          disabled={chosen === undefined}
          onClick={() => {
            if (chosen === undefined) return;
            connection.undo({ threadId, turnId: chosen.turnId, scope });
            onClose();
          }}
        >
          Undo
        </Button>
        <Button kind="quiet" onClick={onClose}>
          Cancel
        </Button>
      </footer>
    </Dialog>
  );
}

interface TurnChoiceProps {
  readonly turn: Turn;
  readonly isChosen: boolean;
  onChoose(): void;
}

function TurnChoice({ turn: { text, at }, isChosen, onChoose }: TurnChoiceProps) {
  return (
    <label class="check">
      <input type="radio" name="turn" checked={isChosen} onChange={onChoose} />
      <Stored as="span" text={text} /> <Age at={at} />
    </label>
  );
}

function Consequence({ turns, from }: { readonly turns: readonly Turn[]; readonly from: Turn }) {
  // Newest first: reverts this turn and those before it in the list.
  const removed = turns.slice(0, turns.indexOf(from) + 1);
  const sum = (count: (turn: Turn) => number) =>
    removed.reduce((total, turn) => total + count(turn), 0);
  const files = sum((turn) => turn.files);
  const writes = sum((turn) => turn.remembered);
  return (
    <p class="notice warn">
      Reverts {removed.length === 1 ? "1 turn" : `${removed.length} turns`}: {files}{" "}
      {files === 1 ? "file" : "files"} and {writes} {writes === 1 ? "write" : "writes"} to memory.
    </p>
  );
}

export type ThreadDialogName = "memories" | "undo" | "rename";

export interface ThreadDialogProps {
  readonly name: ThreadDialogName;
  readonly open: OpenThread;
  onClose(): void;
}

export function ThreadDialog({ name, open, onClose }: ThreadDialogProps) {
  const { connection, threadId } = open;
  switch (name) {
    case "memories":
      return <MemoriesDialog connection={connection} threadId={threadId} onClose={onClose} />;
    case "undo":
      return <UndoDialog connection={connection} threadId={threadId} onClose={onClose} />;
    case "rename":
      return <RenameDialog open={open} onClose={onClose} />;
  }
}

interface OpenDialogProps {
  readonly open: OpenThread;
  onClose(): void;
}

function RenameDialog({ open, onClose }: OpenDialogProps) {
  const { connection, threadId, thread } = open;
  const [title, setTitle] = useState(thread?.title ?? "");
  const name = title.trim();
  return (
    <FormDialog
      title="Rename thread"
      verb="Rename"
      isReady={name !== ""}
      onSubmit={() =>
        connection.send({ type: "thread.rename", payload: { threadId, title: name } })
      }
      onClose={onClose}
    >
      <TextField label="Title" value={title} maxLength={200} onInput={setTitle} />
    </FormDialog>
  );
}

interface MemoriesDialogProps {
  readonly connection: AgentConnection;
  readonly threadId: string;
  onClose(): void;
}

/** Lists all memories that the model received in a thread. */
function MemoriesDialog({ connection, threadId, onClose }: MemoriesDialogProps) {
  useEffect(() => {
    connection.responses.memories.value = undefined;
    connection.send({ type: "thread.told", payload: { threadId } });
  }, [connection, threadId]);
  const memories = connection.responses.memories.value;
  const isEmpty = memories?.atStart.length === 0 && memories.since.length === 0;
  return (
    <Dialog title="Memories used" onClose={onClose}>
      <div class="fields" onClick={(event) => closeOnLink(event, onClose)}>
        {memories === undefined && <p class="quiet">Loading …</p>}
        {isEmpty && <p>No memories since the thread was opened.</p>}
        {memories !== undefined && memories.since.length > 0 && (
          <section>
            <h3>With messages and calls</h3>
            <ul class="lines">
              {memories.since.map(({ id, text }) => (
                <li key={id}>
                  <ItemLink id={id}>
                    <code class="id">{id}</code> <Stored text={text} />
                  </ItemLink>
                </li>
              ))}
            </ul>
          </section>
        )}
        {memories !== undefined && memories.atStart.length > 0 && (
          <section>
            <h3>In the system prompt</h3>
            <ul class="lines">
              {memories.atStart.map((id) => (
                <li key={id}>
                  <ItemLink id={id}>
                    <code class="id">{id}</code> <ItemText id={id} />
                  </ItemLink>
                </li>
              ))}
            </ul>
          </section>
        )}
      </div>
    </Dialog>
  );
}

function closeOnLink(event: Event, onClose: () => void): void {
  if (event.target instanceof Element && event.target.closest("a") !== null) onClose();
}
