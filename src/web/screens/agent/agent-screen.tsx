import { useEffect, useState } from "preact/hooks";
import type { AgentConnection } from "../../agent/agent-connection.ts";
import type { Subagent } from "../../agent/entry-list.ts";
import { Link } from "../../components/link.tsx";
import { Stored } from "../../components/stored.tsx";
import { type Part, Suspense } from "../../components/suspense.tsx";
import { Waiting } from "../../components/waiting.tsx";
import { usePage } from "../../page.ts";
import { PermissionCard } from "./permission-card.tsx";
import { SubagentEntries, SubagentFacts } from "./subagent-card.tsx";
import { ThreadEntry } from "./thread-entry.tsx";
import { ThreadList } from "./thread-list.tsx";
import { StreamBox } from "./thread-stream.tsx";
import { ConnectionLost, ThreadView } from "./thread-view.tsx";
import { type OpenThread, useThread } from "./use-thread.ts";

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
        <p>This server has no agent.</p>
        <p>
          Run <code>cairn ui</code> in a project folder to open this page with the project's agent.
        </p>
      </div>
    </div>
  );
}

const PANEL: Part<{ readonly open: OpenThread }> = {
  load: async () => (await import("./side-panel.tsx")).SidePanel,
};

interface DeskProps {
  readonly connection: AgentConnection;
  /** Undefined for a new thread without messages. */
  readonly threadId: string | undefined;
}

function AgentDesk({ connection, threadId }: DeskProps) {
  const { router } = usePage();
  const open = useThread(connection, threadId);
  useComplaints(connection);
  const { panel, subagent: query } = router.place.value.query;
  const subagent = open.log?.subagents.all.value.find(({ id }) => id === query);
  return (
    <div class="agent" data-open={threadId !== undefined}>
      <ThreadList connection={connection} shown={open.threadId} />
      {subagent === undefined ? (
        <ThreadView key={threadId ?? ""} open={open} />
      ) : (
        <SubagentView of={subagent} open={open} />
      )}
      {panel && <Suspense part={PANEL} props={{ open }} />}
    </div>
  );
}

function useComplaints({ complaint }: AgentConnection): void {
  const { toasts } = usePage();
  const text = complaint.value;
  useEffect(() => {
    if (text === undefined) return;
    toasts.tellError(text);
    complaint.value = undefined;
  }, [text, toasts, complaint]);
}

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
        Run <code>cairn ui</code> in the project folder: its link unlocks the agent in all tabs of
        this browser. On another device, use a token with the scope <code>approve</code>: it answers
        permission requests and stops runs.
      </p>
      <form
        class="fields"
        onSubmit={(event) => {
          event.preventDefault();
          if (token.trim() !== "") void agent.access.unlock(token.trim());
        }}
      >
        <label>
          Token
          <input
            type="password"
            autocomplete="off"
            value={token}
            onInput={({ currentTarget }) => setToken(currentTarget.value)}
          />
        </label>
        <p class="quiet">
          The agent's own token is in <code>tokens/agent</code> in the data folder. The token of the
          memory does not open the agent.
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
            Back to <Stored text={thread?.title ?? "the thread"} />
          </Link>
          <SubagentFacts of={of} />
        </p>
      </header>
      {!connection.isLive.value && <ConnectionLost />}
      <StreamBox shown={of.id}>
        <SubagentEntries
          of={of}
          draw={(entry, index) => (
            <ThreadEntry key={index} of={entry} connection={connection} threadId={threadId} />
          )}
        />
        {question !== undefined && question.contextLabel === label && (
          <PermissionCard connection={connection} question={question} />
        )}
      </StreamBox>
    </div>
  );
}
