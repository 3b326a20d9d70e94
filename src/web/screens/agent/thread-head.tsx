import type { AgentConnection } from "../../agent/agent-connection.ts";
import type { ThreadInfo } from "../../agent/entry.ts";
import type { ThreadLog } from "../../agent/thread-log.ts";
import { Stored } from "../../components/stored.tsx";

interface ThreadHeadProps {
  readonly connection: AgentConnection;
  readonly thread: ThreadInfo | undefined;
  readonly log: ThreadLog | undefined;
  onTold(): void;
  onUndo(): void;
  onDelete(): void;
  onSay(text: string): void;
}

/** What the thread is, which model works on it and what that has cost. */
export function ThreadHead({
  connection,
  thread,
  log,
  onTold,
  onUndo,
  onDelete,
  onSay,
}: ThreadHeadProps) {
  const ready = connection.answers.ready.value;
  const usage = log?.usage.value;
  const model = thread?.model ?? ready?.model ?? "";
  return (
    <header class="thread-head">
      <Stored as="h1" text={thread?.title ?? "New thread"} />
      <p class="quiet thread-facts">
        <Stored text={model} />
        {ready !== undefined && <span>mode {ready.permissionMode}</span>}
        {ready !== undefined && (
          <span title={ready.sandbox}>sandbox {firstWords(ready.sandbox)}</span>
        )}
        {usage?.contextUsed !== undefined && (
          <span>{Math.round(usage.contextUsed * 100)} % of the context</span>
        )}
        {usage?.cost !== undefined && <span>${usage.cost.toFixed(usage.cost < 1 ? 3 : 2)}</span>}
      </p>
      {thread !== undefined && (
        <details class="thread-more">
          <summary class="button">Thread</summary>
          <div class="item-actions">
            <button type="button" class="button" onClick={() => onSay("/model")}>
              Model
            </button>
            <button type="button" class="button" onClick={() => onSay("/effort")}>
              Effort
            </button>
            <button type="button" class="button" onClick={onTold}>
              What memory gave it
            </button>
            <button type="button" class="button" onClick={onUndo}>
              Take back a turn
            </button>
            <button type="button" class="button quiet" onClick={onDelete}>
              Delete the thread
            </button>
          </div>
        </details>
      )}
    </header>
  );
}

function firstWords(text: string): string {
  return text.split(/[(:,]/, 1)[0]?.trim() ?? text;
}
