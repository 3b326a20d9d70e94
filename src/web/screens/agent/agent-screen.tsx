import { useEffect, useState } from "preact/hooks";
import type { AgentConnection } from "../../agent/agent-connection.ts";
import { Button, Form, TextField } from "../../components/controls.tsx";
import { Loading } from "../../components/loading.tsx";
import { type Part, Suspense } from "../../components/suspense.tsx";
import { usePage } from "../../page.ts";
import { ThreadList } from "./thread-list.tsx";
import { ThreadView } from "./thread-view.tsx";
import { type OpenThread, useThread } from "./use-thread.ts";

export function AgentScreen() {
  const { agent, router } = usePage();
  const status = agent.access.status.value;
  const connection = agent.connection.value;
  const { id } = router.location.value;
  if (status === "absent") return <NoAgent />;
  if (status === "locked") return <AgentLocked />;
  if (connection === undefined || connection.threads.value === undefined) {
    return <Loading rows={6} />;
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
  useErrorToasts(connection);
  const { panel } = router.location.value.query;
  return (
    <div class="agent" data-open={threadId !== undefined}>
      <ThreadList connection={connection} shown={open.threadId} />
      <ThreadView key={threadId ?? ""} open={open} />
      {panel && <Suspense part={PANEL} props={{ open }} />}
    </div>
  );
}

function useErrorToasts({ errorMessage }: AgentConnection): void {
  const { toasts } = usePage();
  const text = errorMessage.value;
  useEffect(() => {
    if (text === undefined) return;
    toasts.showError(text);
    errorMessage.value = undefined;
  }, [text, toasts, errorMessage]);
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
      <Form
        class="fields"
        onSubmit={() => {
          if (token.trim() !== "") void agent.access.unlock(token.trim());
        }}
      >
        <TextField
          label="Token"
          type="password"
          autocomplete="off"
          value={token}
          onInput={setToken}
        />
        <p class="quiet">
          The agent's own token is in <code>tokens/agent</code> in the data folder. The token of the
          memory does not open the agent.
        </p>
        <Button type="submit" kind="primary">
          Unlock
        </Button>
      </Form>
    </div>
  );
}
