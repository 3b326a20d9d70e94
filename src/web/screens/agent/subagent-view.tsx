import { useEffect } from "preact/hooks";
import type { Subagent } from "../../agent/subagents.ts";
import { Link } from "../../components/link.tsx";
import { Stored } from "../../components/stored.tsx";
import { usePage } from "../../page.ts";
import { PermissionCard } from "./permission-card.tsx";
import { SubagentEntries, SubagentFacts } from "./subagent-card.tsx";
import { ThreadEntry } from "./thread-entry.tsx";
import { StreamBox } from "./thread-stream.tsx";
import { ConnectionLost } from "./thread-view.tsx";
import type { OpenThread } from "./use-thread.ts";

interface SubagentViewProps {
  readonly of: Subagent;
  readonly open: OpenThread;
}

export function SubagentView({ of, open }: SubagentViewProps) {
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
