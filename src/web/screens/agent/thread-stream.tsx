import type { Signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { AgentConnection } from "../../agent/agent-connection.ts";
import type { Entry } from "../../agent/entry.ts";
import type { ThreadLog } from "../../agent/thread-log.ts";
import { ThreadEntry } from "./thread-entry.tsx";

interface StreamProps {
  readonly connection: AgentConnection;
  readonly threadId: string;
  readonly log: ThreadLog | undefined;
  onEdit?(of: Signal<Entry>): void;
  readonly children: ComponentChildren;
}

const NEAR = 80;

export function ThreadStream(props: StreamProps) {
  const { connection, threadId, log, onEdit, children } = props;
  const entries = log?.entries.value ?? [];
  return (
    <StreamBox shown={threadId}>
      {entries.length === 0 && (
        <div class="empty">
          <p>Describe a task. Relevant memories are added automatically.</p>
        </div>
      )}
      {entries.map((entry, index) => (
        <ThreadEntry
          // biome-ignore lint/suspicious/noArrayIndexKey: entries are only added at the end
          key={index}
          of={entry}
          connection={connection}
          threadId={threadId}
          {...(onEdit !== undefined && { onEdit })}
        />
      ))}
      <Doing log={log} />
      {children}
    </StreamBox>
  );
}

interface StreamBoxProps {
  readonly shown: string;
  readonly children: ComponentChildren;
}

function StreamBox({ shown, children }: StreamBoxProps) {
  const box = useRef<HTMLDivElement>(null);
  useFollowedEnd(box, shown);
  return (
    <div class="stream" ref={box} tabIndex={0} role="log" aria-label="Conversation">
      {children}
    </div>
  );
}

function Doing({ log }: { readonly log: ThreadLog | undefined }) {
  if (log === undefined || !log.isRunning.value || log.prompt.value !== undefined) return null;
  const doing = log.doing.value;
  return (
    <p class="doing" role="status">
      {doing === "" ? "Working …" : `${doing[0]?.toUpperCase()}${doing.slice(1)} …`}
    </p>
  );
}

function useFollowedEnd(box: { readonly current: HTMLDivElement | null }, threadId: string): void {
  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    let isAtEnd = true;
    const toEnd = () => {
      if (isAtEnd) element.scrollTop = element.scrollHeight;
    };
    const onScroll = () => {
      isAtEnd = element.scrollHeight - element.scrollTop - element.clientHeight < NEAR;
    };
    element.addEventListener("scroll", onScroll, { passive: true });
    const changes = new MutationObserver(toEnd);
    changes.observe(element, { childList: true, subtree: true, characterData: true });
    toEnd();
    return () => {
      element.removeEventListener("scroll", onScroll);
      changes.disconnect();
    };
  }, [box, threadId]);
}
