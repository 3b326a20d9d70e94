import { Dialog } from "../../shell/dialog.tsx";
import { ToldDialog } from "./told-dialog.tsx";
import { UndoDialog } from "./undo-dialog.tsx";
import type { OpenThread } from "./use-thread.ts";
import { Work } from "./work.tsx";

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
