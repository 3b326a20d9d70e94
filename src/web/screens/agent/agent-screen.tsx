import { useEffect, useState } from "preact/hooks";
import type { AgentConnection } from "../../agent/agent-connection.ts";
import type { ThreadInfo } from "../../agent/entry.ts";
import type { Subagent } from "../../agent/entry-list.ts";
import { newThreadId } from "../../agent/new-thread-id.ts";
import { Age } from "../../components/age.tsx";
import { Link } from "../../components/link.tsx";
import { Stored } from "../../components/stored.tsx";
import { Waiting } from "../../components/waiting.tsx";
import { usePage } from "../../page.ts";
import { PermissionCard } from "./permission-card.tsx";
import { SubagentEntries, SubagentFacts } from "./subagent-card.tsx";
import { ThreadEntry } from "./thread-entry.tsx";
import { StreamBox } from "./thread-stream.tsx";
import { ConnectionLost, ThreadView } from "./thread-view.tsx";
import { type OpenThread, useThread } from "./use-thread.ts";
import { Work } from "./work.tsx";

/** Between two looks at who else runs; milliseconds. */
const PAUSE_MS = 10_000;

function OtherProjects({ connection }: { readonly connection: AgentConnection }) {
  const isLive = connection.isLive.value;
  useEffect(() => {
    if (!isLive) return undefined;
    const timer = setInterval(() => {
      if (!document.hidden) connection.send({ type: "server.list", payload: {} });
    }, PAUSE_MS);
    return () => clearInterval(timer);
  }, [connection, isLive]);
  const others = connection.answers.servers.value.filter(({ isThis }) => !isThis);
  if (others.length === 0) return null;
  return (
    <section class="other-projects" aria-label="Other projects">
      <h2>Other projects</h2>
      <ul>
        {others.map(({ url, cwd, hasPage, waiting }) => (
          <li key={url} title={cwd}>
            {hasPage ? (
              <a href={`${url}/ui/default/agent`} target="_blank" rel="noopener noreferrer">
                <Stored text={lastPart(cwd)} />
              </a>
            ) : (
              <Stored as="span" text={`${lastPart(cwd)} (${url})`} />
            )}
            {waiting > 0 && <span class="mark warn">{waiting} waiting</span>}
          </li>
        ))}
      </ul>
    </section>
  );
}

function lastPart(path: string): string {
  return path.split(/[\\/]/).filter(Boolean).at(-1) ?? path;
}

interface ThreadListProps {
  readonly connection: AgentConnection;
  readonly shown: string | undefined;
}

function ThreadList({ connection, shown }: ThreadListProps) {
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

function standingOf(
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

/** The agent of this server's project, where the server has one and this page may speak with it. */
export function AgentScreen() {
  const { agent, router } = usePage();
  const standing = agent.access.standing.value;
  const connection = agent.connection.value;
  const { id } = router.place.value;
  if (standing === "absent") return <NoAgent />;
  if (standing === "locked") return <AgentLocked />;
  if (connection === undefined || connection.threads.value === undefined) {
    return <Waiting rows={6} />;
  }
  return <AgentDesk connection={connection} threadId={id} />;
}

function NoAgent() {
  return (
    <div class="page-body">
      <h1>Agent</h1>
      <div class="empty">
        <p>This server has the memory alone.</p>
        <p>
          Run <code>cairn ui</code> in the folder of a project: the page that it opens has the agent
          of that project beside the memory.
        </p>
      </div>
    </div>
  );
}

interface DeskProps {
  readonly connection: AgentConnection;
  /** Undefined: a conversation that is not begun yet. */
  readonly threadId: string | undefined;
}

function AgentDesk({ connection, threadId }: DeskProps) {
  const { router } = usePage();
  const open = useThread(connection, threadId);
  useComplaints(connection);
  const asked = router.place.value.query.subagent;
  const subagent = open.log?.subagents.all.value.find(({ id }) => id === asked);
  return (
    <div class="agent">
      <ThreadList connection={connection} shown={open.threadId} />
      {subagent === undefined ? (
        <ThreadView key={threadId ?? ""} open={open} />
      ) : (
        <SubagentView of={subagent} open={open} />
      )}
      <aside class="work-beside" aria-label="Plan and tasks">
        <Work open={open} />
      </aside>
    </div>
  );
}

function useComplaints({ complaint }: AgentConnection): void {
  const { toasts } = usePage();
  const said = complaint.value;
  useEffect(() => {
    if (said === undefined) return;
    toasts.tellError(said);
    complaint.value = undefined;
  }, [said, toasts, complaint]);
}

/** The agent runs commands on this machine, so it asks for more than the memory does. */
function AgentLocked() {
  const { agent } = usePage();
  const [token, setToken] = useState("");
  return (
    <div class="page-body">
      <h1>The agent is locked</h1>
      {agent.access.refusal.value !== undefined && (
        <p class="notice warn" role="alert">
          {agent.access.refusal.value}
        </p>
      )}
      <p>
        Run <code>cairn ui</code> in the folder of the project: it opens this page with a link that
        lets it in. Tabs share that until they are closed.
      </p>
      <form
        class="fields"
        onSubmit={(event) => {
          event.preventDefault();
          if (token.trim() !== "") void agent.access.unlock(token.trim());
        }}
      >
        <label>
          Or its token
          <input
            type="password"
            autocomplete="off"
            value={token}
            onInput={({ currentTarget }) => setToken(currentTarget.value)}
          />
        </label>
        <p class="quiet">
          It is kept in the file <code>tokens/agent</code> of cairn's data folder, and is another
          than that of the memory.
        </p>
        <button type="submit" class="button primary">
          Unlock
        </button>
      </form>
    </div>
  );
}

interface SubagentViewProps {
  readonly of: Subagent;
  readonly open: OpenThread;
}

function SubagentView({ of, open }: SubagentViewProps) {
  const { router } = usePage();
  const { connection, threadId, thread, question } = open;
  const { label } = of.news.value;
  useEffect(() => document.getElementById("main")?.focus(), [of.id]);
  return (
    <div class="thread">
      <header class="thread-head">
        <Stored as="h1" text={label} />
        <p class="quiet thread-facts">
          <Link to={router.href({ screen: "agent", id: threadId })}>
            Back to <Stored text={thread?.title ?? "its thread"} />
          </Link>
          <SubagentFacts of={of} />
        </p>
      </header>
      {!connection.isLive.value && <ConnectionLost />}
      <StreamBox shown={of.id}>
        <SubagentEntries
          of={of}
          draw={(entry, place) => (
            <ThreadEntry key={place} of={entry} connection={connection} threadId={threadId} />
          )}
        />
        {question !== undefined && question.contextLabel === label && (
          <PermissionCard connection={connection} question={question} />
        )}
      </StreamBox>
    </div>
  );
}
