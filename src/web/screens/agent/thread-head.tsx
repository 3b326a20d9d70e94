import type { Usage } from "../../agent/entry.ts";
import { Stored } from "../../components/stored.tsx";
import { usePage } from "../../page.ts";
import type { ThreadDialogName } from "./thread-dialog.tsx";
import type { OpenThread } from "./use-thread.ts";

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
