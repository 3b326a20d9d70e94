import type { Signal } from "@preact/signals";
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { Entry, SubagentNews } from "../../agent/entry.ts";
import type { Subagent } from "../../agent/entry-list.ts";
import { Link } from "../../components/link.tsx";
import { Stored } from "../../components/stored.tsx";
import { usePage } from "../../page.ts";

interface SubagentProps {
  readonly of: Subagent;
  readonly threadId: string;
  draw(entry: Signal<Entry>, index: number): VNode;
}

export function SubagentCard({ of, threadId, draw }: SubagentProps) {
  const [isOpen, setOpen] = useState(false);
  const news = of.news.value;
  return (
    <details
      class="call subagent"
      data-state={news.state}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>
        <span class="call-state" role="img" aria-label={news.state} />
        <Stored as="b" text={news.label} />
        <Stored as="span" class="quiet" text={firstLine(news.task)} />
        <SubagentFacts of={of} />
      </summary>
      {isOpen && (
        <>
          <OpenAlone of={of} threadId={threadId} />
          <SubagentEntries of={of} draw={draw} />
        </>
      )}
    </details>
  );
}

function OpenAlone({ of, threadId }: Pick<SubagentProps, "of" | "threadId">) {
  const { router } = usePage();
  const view = router.href({ screen: "agent", id: threadId, query: { subagent: of.id } });
  return (
    <p>
      <Link to={view}>Open in full view</Link>
    </p>
  );
}

export function SubagentEntries({ of, draw }: Pick<SubagentProps, "of" | "draw">) {
  return (
    <div class="subagent-entries">
      <article class="entry user" aria-label="Task">
        <Stored as="div" class="said" text={of.news.value.task} />
      </article>
      {of.list.entries.value.map(draw)}
    </div>
  );
}

const STATES: Readonly<Record<SubagentNews["state"], string>> = {
  running: "running",
  done: "done",
  failed: "failed",
  stopped: "stopped",
};

export function SubagentFacts({ of }: Pick<SubagentProps, "of">) {
  const { state, spent } = of.news.value;
  const calls = of.list.entries.value.filter((entry) => entry.peek().kind === "call").length;
  return (
    <span class="subagent-facts">
      <span class={state === "failed" ? "mark warn" : "mark"}>{STATES[state]}</span>
      {calls > 0 && <span>{calls === 1 ? "1 call" : `${calls} calls`}</span>}
      {spent !== undefined && (
        <span>{(spent.inputTokens + spent.outputTokens).toLocaleString("en")} tokens</span>
      )}
      {spent?.cost !== undefined && <span>${spent.cost.toFixed(3)}</span>}
    </span>
  );
}

function firstLine(text: string): string {
  return text.split("\n", 1)[0] ?? "";
}
