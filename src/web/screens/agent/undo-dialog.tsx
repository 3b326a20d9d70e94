import { useEffect, useState } from "preact/hooks";
import type { AgentConnection } from "../../agent/agent-connection.ts";
import type { Turn } from "../../agent/entry.ts";
import { Age } from "../../components/age.tsx";
import { Stored } from "../../components/stored.tsx";
import { Dialog } from "../../shell/dialog.tsx";

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

export function UndoDialog({ connection, threadId, onClose }: UndoDialogProps) {
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
