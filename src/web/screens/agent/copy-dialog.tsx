import { useEffect, useState } from "preact/hooks";
import type { CopyChanges } from "../../agent/entry.ts";
import { usePage } from "../../page.ts";
import { Dialog } from "../../shell/dialog.tsx";
import { CopyFile } from "./copy-file.tsx";
import type { OpenThread } from "./use-thread.ts";

interface CopyDialogProps {
  readonly open: OpenThread;
  onClose(): void;
}

/** All that was done in the copy of a thread: what of it is taken over, and how. */
export function CopyDialog({ open, onClose }: CopyDialogProps) {
  const { connection, threadId } = open;
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  useEffect(() => {
    connection.answers.copy.value = undefined;
    connection.send({ type: "copy.changes", payload: { threadId } });
  }, [connection, threadId]);
  const found = connection.answers.copy.value;
  const shown = found?.threadId === threadId ? found : undefined;
  const leave = (name: string, isLeft: boolean) => {
    const next = new Set(left);
    if (isLeft) next.add(name);
    else next.delete(name);
    setLeft(next);
  };
  return (
    <Dialog title="What was done in the copy" class="wide copies" onClose={onClose}>
      <div class="fields copy-changes">
        {shown === undefined && <p class="quiet">Asking …</p>}
        {shown?.changes.length === 0 && <p>Nothing is there that was not taken over.</p>}
        {shown?.changes.map((change) => (
          <CopyFile key={change.path} of={change} left={left} onLeave={leave} />
        ))}
      </div>
      {shown !== undefined && (
        <CopyDecision
          open={open}
          of={shown}
          left={left}
          onTaken={() => setLeft(new Set())}
          onClose={onClose}
        />
      )}
    </Dialog>
  );
}

interface DecisionProps extends CopyDialogProps {
  readonly of: CopyChanges;
  readonly left: ReadonlySet<string>;
  /** What was left out is shown again: it can still be taken over. */
  onTaken(): void;
}

function CopyDecision({ open, of, left, onTaken, onClose }: DecisionProps) {
  const { connection, threadId, isBusy } = open;
  const [message, setMessage] = useState("");
  const [isCommit, setCommit] = useState(false);
  const wanted = of.changes.filter(({ path }) => !left.has(path));
  const inTheWay = wanted.filter(({ conflict }) => conflict !== undefined);
  const takeOver = () => {
    const names = of.changes.map(({ path }) => path);
    const leave = [...left].filter((name) => names.includes(name.replace(/:\d+$/, "")));
    const commit = isCommit ? { commit: message.trim() } : {};
    if (connection.send({ type: "copy.merge", payload: { threadId, leave, ...commit } })) onTaken();
  };
  return (
    <footer class="copy-decision">
      {of.canCommit && wanted.length > 0 && (
        <CommitField
          isCommit={isCommit}
          message={message}
          onChoose={setCommit}
          onWrite={setMessage}
        />
      )}
      {inTheWay.length > 0 && (
        <p class="notice warn">
          Both sides changed the same: leave these files out, or put them right first.
        </p>
      )}
      <div class="item-actions">
        <button
          type="button"
          class="button primary"
          disabled={
            isBusy ||
            wanted.length === 0 ||
            inTheWay.length > 0 ||
            (isCommit && message.trim() === "")
          }
          onClick={takeOver}
        >
          Take it over
        </button>
        <ThrowAway open={open} count={of.changes.length} onClose={onClose} />
      </div>
    </footer>
  );
}

interface CommitFieldProps {
  readonly isCommit: boolean;
  readonly message: string;
  onChoose(isCommit: boolean): void;
  onWrite(message: string): void;
}

function CommitField({ isCommit, message, onChoose, onWrite }: CommitFieldProps) {
  return (
    <div class="fields">
      <label class="check">
        <input
          type="checkbox"
          checked={isCommit}
          onChange={({ currentTarget }) => onChoose(currentTarget.checked)}
        />
        As a commit; otherwise as changes that are not committed
      </label>
      {isCommit && (
        <label class="field">
          Its message
          <textarea
            rows={2}
            value={message}
            onInput={({ currentTarget }) => onWrite(currentTarget.value)}
          />
        </label>
      )}
    </div>
  );
}

interface ThrowAwayProps extends CopyDialogProps {
  readonly count: number;
}

/** Asked about once more: nothing of it is left then. */
function ThrowAway({ open, count, onClose }: ThrowAwayProps) {
  const { connection, threadId } = open;
  const { router } = usePage();
  const [isSure, setSure] = useState(count === 0);
  const what = count === 1 ? "1 changed file" : `${count} changed files`;
  return (
    <button
      type="button"
      class="button danger"
      onClick={() => {
        if (!isSure) {
          setSure(true);
          return;
        }
        connection.send({ type: "copy.discard", payload: { threadId } });
        onClose();
        router.go(router.href({ screen: "agent" }));
      }}
    >
      {isSure && count > 0 ? `Really: ${what} and the thread are gone then` : "Throw the copy away"}
    </button>
  );
}
