import { useState } from "preact/hooks";
import type { AgentConnection } from "../../agent/agent-connection.ts";
import type { ThreadInfo } from "../../agent/entry.ts";
import { newThreadId } from "../../agent/new-thread-id.ts";
import { Age } from "../../components/age.tsx";
import { Button } from "../../components/controls.tsx";
import { Link } from "../../components/link.tsx";
import { Stored } from "../../components/stored.tsx";
import { usePage } from "../../page.ts";

export interface ThreadListProps {
  readonly connection: AgentConnection;
  readonly shown: string | undefined;
}

export function ThreadList({ connection, shown }: ThreadListProps) {
  const [search, setSearch] = useState("");
  const threads = connection.threads.value ?? [];
  const requested = new Set(connection.questions.value.map(({ threadId }) => threadId));
  const words = search.toLowerCase().split(/\s+/);
  const found = threads.filter(({ title = "" }) =>
    words.every((word) => title.toLowerCase().includes(word)),
  );
  return (
    <nav class="threads" aria-label="Threads">
      {!connection.isApprover && <NewThread />}
      {threads.length >= MIN_SEARCHED && (
        <input
          type="search"
          aria-label="Search threads"
          placeholder="Search threads"
          value={search}
          onInput={({ currentTarget }) => setSearch(currentTarget.value)}
        />
      )}
      {found.length === 0 && search !== "" && <p class="quiet">No threads found</p>}
      {groupThreads(found, requested).map(([group, members]) => (
        <section key={group} aria-label={group}>
          <h2>{group}</h2>
          <ul>
            {members.map((thread) => (
              <ThreadLine
                key={thread.threadId}
                thread={thread}
                status={describeStatus(thread, requested)}
                isShown={thread.threadId === shown}
              />
            ))}
          </ul>
        </section>
      ))}
    </nav>
  );
}

interface ThreadLineProps {
  readonly thread: ThreadInfo;
  readonly status: ThreadStatus;
  readonly isShown: boolean;
}

function ThreadLine({ thread, status, isShown }: ThreadLineProps) {
  const { router } = usePage();
  const queued = thread.queued === 0 ? "" : `, ${thread.queued} queued`;
  return (
    <li>
      <Link
        to={router.href({ screen: "agent", id: thread.threadId })}
        class="thread-link"
        aria-current={isShown ? "page" : undefined}
      >
        <Stored as="span" class="thread-title" text={thread.title ?? "Empty thread"} />
        {(status !== "done" || queued !== "") && (
          <span class={status === "needs you" ? "mark warn" : "mark"}>{status + queued}</span>
        )}
        <Age at={thread.updatedAt} />
      </Link>
    </li>
  );
}

function NewThread() {
  const { router } = usePage();
  const begin = () => router.go(router.href({ screen: "agent", id: newThreadId() }));
  return <Button onClick={begin}>New thread</Button>;
}

/** Minimum number of threads for which the search field appears. */
const MIN_SEARCHED = 6;
const DAY_MS = 86_400_000;

/** Groups threads by calendar days, newest first; threads that wait for the user come first. */
function groupThreads(
  threads: readonly ThreadInfo[],
  requested: ReadonlySet<string>,
): readonly [group: string, threads: readonly ThreadInfo[]][] {
  const midnight = new Date().setHours(0, 0, 0, 0);
  const getGroup = (thread: ThreadInfo) => {
    if (describeStatus(thread, requested) === "needs you") return "Needs you";
    const days = Math.ceil((midnight - Date.parse(thread.updatedAt)) / DAY_MS);
    if (days <= 0) return "Today";
    return days === 1 ? "Yesterday" : days <= 7 ? "Last 7 days" : "Older";
  };
  const groups = new Map<string, ThreadInfo[]>([["Needs you", []]]);
  for (const thread of [...threads].sort((a, b) => b.updatedAt.localeCompare(a.updatedAt))) {
    const group = getGroup(thread);
    groups.set(group, [...(groups.get(group) ?? []), thread]);
  }
  return [...groups].filter(([, members]) => members.length > 0);
}

type ThreadStatus = "needs you" | "running" | "done";

function describeStatus(
  { threadId, isRunning, isBusy, pendingPrompt }: ThreadInfo,
  requested: ReadonlySet<string>,
): ThreadStatus {
  if (pendingPrompt !== undefined || requested.has(threadId)) return "needs you";
  return isRunning || isBusy === true ? "running" : "done";
}
