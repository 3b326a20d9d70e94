import type { Signal } from "@preact/signals";
import type { AgentConnection } from "../../agent/agent-connection.ts";
import type { Call, Entry } from "../../agent/entry.ts";
import { Stored } from "../../components/stored.tsx";
import { TextBody } from "../../components/text-body.tsx";
import { CallCard } from "./call-card.tsx";
import { MemoryEntry, MemorySeen } from "./memory-entry.tsx";
import { SubagentCard } from "./subagent-card.tsx";

export interface EntryProps {
  readonly of: Signal<Entry>;
  readonly connection: AgentConnection;
  readonly threadId: string;
  readonly onlyLooksOn?: boolean;
}

/** One thing on a thread. It draws itself again when it changes, and nothing around it. */
export function ThreadEntry({ of, connection, threadId, onlyLooksOn = false }: EntryProps) {
  const entry = of.value;
  switch (entry.kind) {
    case "user":
      return (
        <article class="entry user" aria-label="You">
          <Stored as="div" class="said" text={entry.text} />
          {entry.state !== "said" && (
            <span class="mark">{entry.state === "queued" ? "waits for the run" : "sent"}</span>
          )}
        </article>
      );
    case "assistant":
      return (
        <article class="entry assistant" aria-label="Agent" aria-busy={entry.isOpen}>
          <TextBody text={entry.text} isWhole />
        </article>
      );
    case "thinking":
      return (
        <details class="entry thinking">
          <summary>{entry.isOpen ? "Thinking …" : "What it thought"}</summary>
          <Stored as="div" class="text" text={entry.text} />
        </details>
      );
    case "call":
      return (
        <CallEntry
          of={entry}
          connection={connection}
          threadId={threadId}
          onlyLooksOn={onlyLooksOn}
        />
      );
    case "print":
      return <Stored as="pre" class="entry print" text={entry.text} />;
    case "note":
      return (
        <p class={`entry note ${entry.tone}`} role={entry.tone === "error" ? "alert" : undefined}>
          <Stored text={entry.text} />
        </p>
      );
    case "memory":
      if (onlyLooksOn) return <MemorySeen of={entry} />;
      return <MemoryEntry of={entry} connection={connection} threadId={threadId} />;
  }
}

interface CallEntryProps extends Omit<EntryProps, "of"> {
  readonly of: Call;
}

function CallEntry({ of, connection, threadId, onlyLooksOn = false }: CallEntryProps) {
  const subagent = connection.log(threadId).subagents.find(of.subagentId);
  if (subagent === undefined) return <CallCard of={of} />;
  return (
    <SubagentCard
      of={subagent}
      threadId={threadId}
      onlyLooksOn={onlyLooksOn}
      draw={(entry, place) => (
        <ThreadEntry
          key={place}
          of={entry}
          connection={connection}
          threadId={threadId}
          onlyLooksOn={onlyLooksOn}
        />
      )}
    />
  );
}
