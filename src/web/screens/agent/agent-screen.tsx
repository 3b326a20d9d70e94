import { Waiting } from "../../components/waiting.tsx";
import { usePage } from "../../page.ts";
import { AgentDesk } from "./agent-desk.tsx";
import { AgentLocked } from "./agent-locked.tsx";

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
