import { useEffect } from "preact/hooks";
import type { AgentConnection } from "../../agent/agent-connection.ts";
import { usePage } from "../../page.ts";
import { SubagentView } from "./subagent-view.tsx";
import { ThreadList } from "./thread-list.tsx";
import { ThreadView } from "./thread-view.tsx";
import { useThread } from "./use-thread.ts";
import { Work } from "./work.tsx";

interface DeskProps {
  readonly connection: AgentConnection;
  /** Undefined: a conversation that is not begun yet. */
  readonly threadId: string | undefined;
}

export function AgentDesk({ connection, threadId }: DeskProps) {
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
