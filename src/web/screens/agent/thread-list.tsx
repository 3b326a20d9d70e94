import type { AgentConnection } from "../../agent/agent-connection.ts";
import type { ThreadInfo } from "../../agent/entry.ts";
import { newThreadId } from "../../agent/new-thread-id.ts";
import { Age } from "../../components/age.tsx";
import { Link } from "../../components/link.tsx";
import { Stored } from "../../components/stored.tsx";
import { usePage } from "../../page.ts";
import { OtherProjects } from "./other-projects.tsx";

interface ThreadListProps {
  readonly connection: AgentConnection;
  readonly shown: string | undefined;
}

export function ThreadList({ connection, shown }: ThreadListProps) {
  const { router } = usePage();
  const threads = connection.threads.value ?? [];
  const asked = new Set(connection.questions.value.map(({ threadId }) => threadId));
  const inOrder = [...threads].sort(
    (a, b) =>
      Number(standingOf(b, asked) === "waits for you") -
        Number(standingOf(a, asked) === "waits for you") || b.updatedAt.localeCompare(a.updatedAt),
  );
  return (
    <nav class="threads" aria-label="Threads">
      <NewThread />
      <ul>
        {inOrder.map((thread) => (
          <li key={thread.threadId}>
            <Link
              to={router.href({ screen: "agent", id: thread.threadId })}
              class="thread-link"
              aria-current={thread.threadId === shown ? "page" : undefined}
            >
              <Stored as="span" class="thread-title" text={thread.title ?? "Nothing said yet"} />
              <ThreadStanding of={standingOf(thread, asked)} queued={thread.queued} />
              <Age at={thread.updatedAt} />
            </Link>
          </li>
        ))}
      </ul>
      <OtherProjects connection={connection} />
    </nav>
  );
}

function NewThread() {
  const { router } = usePage();
  const begin = () => router.go(router.href({ screen: "agent", id: newThreadId() }));
  return (
    <div class="item-actions">
      <button type="button" class="button" onClick={begin}>
        New thread
      </button>
    </div>
  );
}

type Standing = "waits for you" | "running" | "done";

export function standingOf(
  { threadId, isRunning, isBusy, pendingPrompt }: ThreadInfo,
  asked: ReadonlySet<string>,
): Standing {
  if (pendingPrompt !== undefined || asked.has(threadId)) return "waits for you";
  return isRunning || isBusy === true ? "running" : "done";
}

function ThreadStanding({ of, queued }: { readonly of: Standing; readonly queued: number }) {
  const waiting = queued === 0 ? "" : `, ${queued} queued`;
  if (of === "done" && queued === 0) return null;
  return <span class={of === "waits for you" ? "mark warn" : "mark"}>{of + waiting}</span>;
}
