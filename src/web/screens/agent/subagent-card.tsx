import type { Signal } from "@preact/signals";
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { Entry, SubagentNews } from "../../agent/entry.ts";
import type { Subagent } from "../../agent/entry-list.ts";
import { Stored } from "../../components/stored.tsx";

interface SubagentProps {
  readonly of: Subagent;
  draw(entry: Signal<Entry>, index: number): VNode;
}

export function SubagentCard({ of, draw }: SubagentProps) {
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
      {isOpen && <SubagentEntries of={of} draw={draw} />}
    </details>
  );
}

function SubagentEntries({ of, draw }: Pick<SubagentProps, "of" | "draw">) {
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

function SubagentFacts({ of }: Pick<SubagentProps, "of">) {
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
