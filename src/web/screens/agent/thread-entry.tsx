import type { Signal } from "@preact/signals";
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { AgentConnection } from "../../agent/agent-connection.ts";
import type { Call, Entry, Memory } from "../../agent/entry.ts";
import type { Subagent } from "../../agent/entry-list.ts";
import { Button, IconButton } from "../../components/controls.tsx";
import { CopyButton } from "../../components/copy-button.tsx";
import { ItemLink } from "../../components/link.tsx";
import { Stored } from "../../components/stored.tsx";
import { Markdown } from "../../markdown/markdown.tsx";
import { StoredPicture, splitImages } from "./composer.tsx";
import { DiffCount, DiffView } from "./diff-view.tsx";

const TITLES = {
  memory: (count: number) => `${count} ${plural(count)} added`,
  offer: (count: number) => `${count} suggested ${plural(count)}`,
  learned: (count: number) => `${count} ${plural(count)} saved`,
} as const;

function plural(count: number): string {
  return count === 1 ? "memory" : "memories";
}

interface MemoryEntryProps {
  readonly entry: Extract<Entry, { kind: "memory" }>;
  readonly connection: AgentConnection;
  readonly threadId: string;
}

function MemoryEntry({ entry, connection, threadId }: MemoryEntryProps) {
  const { what, memories, text } = entry;
  const say = (words: string) =>
    connection.send({ type: "message.user", payload: { threadId, text: words } });
  return (
    <details class="entry memory" open={what !== "memory"}>
      <summary title={text}>{memories.length === 0 ? text : TITLES[what](memories.length)}</summary>
      <ul class="lines">
        {memories.map((memory, index) => (
          <li key={memory.id}>
            <MemoryLine memory={memory} isStored={what !== "offer"} />
            {what === "offer" && (
              <Button
                onClick={() => {
                  connection.log(threadId).say(`/keep ${index + 1}`);
                  say(`/keep ${index + 1}`);
                }}
              >
                Save
              </Button>
            )}
          </li>
        ))}
      </ul>
      {what === "memory" && memories.length > 0 && (
        <Button kind="quiet" onClick={() => say("/wrong")}>
          Report a wrong memory
        </Button>
      )}
    </details>
  );
}

function MemoryLine({
  memory: { id, text, why },
  isStored,
}: {
  memory: Memory;
  isStored: boolean;
}) {
  if (!isStored) return <Stored text={text} />;
  return (
    <>
      <ItemLink id={id}>
        <code class="id">{id}</code> <Stored text={text} />
      </ItemLink>
      {why !== undefined && <span class="quiet why">{describeReason(why)}</span>}
    </>
  );
}

const HOW: Readonly<Record<NonNullable<Memory["why"]>["how"], string>> = {
  question: "matches the message",
  passage: "past decision on this topic",
  standing: "standing rule",
  tool: "names the tool to use",
  cure: "fixed the same failure",
  file: "about this file",
};

/** Formats scores such as `matches the message: 0.82 (text 0.61, entity 1)`. */
function describeReason({ how, score, parts = [] }: NonNullable<Memory["why"]>): string {
  const shares = parts.map(({ kind, amount }) => `${kind} ${amount.toFixed(2)}`);
  const ranked = score === undefined ? "" : `: ${score.toFixed(2)}`;
  return `${HOW[how]}${ranked}${shares.length === 0 ? "" : ` (${shares.join(", ")})`}`;
}

/** Maximum characters that fit on a line. */
const LONG = 90;

function CallCard({ call }: { readonly call: Call }) {
  const { name, about, result, output, label } = call;
  const state = result === undefined ? "running" : result.isError === true ? "failed" : "done";
  return (
    <details
      class="call"
      data-state={state}
      open={state === "failed" || result?.diff !== undefined}
    >
      <summary>
        <span class="call-state" role="img" aria-label={state} />
        {label !== undefined && <Stored as="span" class="quiet" text={label} />}
        <Stored as="b" text={name} />
        <Stored as="code" class="call-about" text={about} />
        {result?.diff !== undefined && <DiffCount diff={result.diff} />}
        {result !== undefined && (
          <Stored as="span" class="quiet" text={shortSummary(result.summary, about)} />
        )}
      </summary>
      {output !== undefined && output !== "" && (
        <Stored as="pre" class="call-output" text={output} />
      )}
      {result?.diff !== undefined && <DiffView diff={result.diff} />}
      <CallBody call={call} />
    </details>
  );
}

/** Drops the path that is already shown: `src/x: lines 1–21` becomes `lines 1–21`. */
function shortSummary(summary: string, about: string): string {
  const line = firstLine(summary);
  return line.startsWith(`${about}: `) ? line.slice(about.length + 2) : line;
}

function CallBody({ call: { args, about, result } }: { readonly call: Call }) {
  // A diff already contains the arguments.
  const full = result?.diff === undefined ? wholeArguments(args, about) : "";
  const text = result?.output ?? "";
  const summary = result?.summary ?? "";
  const isLong = summary.includes("\n") || summary.length > LONG;
  return (
    <>
      {full !== "" && <Stored as="pre" class="call-args" text={full} />}
      {isLong && <Stored as="pre" class="call-output" text={summary} />}
      {text !== "" && <Stored as="pre" class="call-output" text={text} />}
    </>
  );
}

function wholeArguments(args: unknown, about: string): string {
  if (args === undefined || args === null) return "";
  const values = typeof args === "object" ? Object.values(args) : [args];
  if (values.length === 1 && String(values[0]) === about) return "";
  return typeof args !== "object"
    ? String(args)
    : Object.entries(args)
        .map(([name, value]) => `${name}: ${asWritten(value)}`)
        .join("\n");
}

/** Multi-line texts are easier to read as text than as JSON. */
function asWritten(value: unknown): string {
  if (typeof value !== "string") return JSON.stringify(value, undefined, 2);
  return value.includes("\n") ? `\n${value}` : value;
}

function firstLine(text: string): string {
  return text.split("\n", 1)[0] ?? "";
}

export interface EntryProps {
  readonly entrySignal: Signal<Entry>;
  readonly connection: AgentConnection;
  readonly threadId: string;
  /** Undefined if messages cannot be edited now. */
  onEdit?(entry: Signal<Entry>): void;
}

/** One entry of a thread; a change only rerenders this entry. */
export function ThreadEntry({ entrySignal, connection, threadId, onEdit }: EntryProps) {
  const entry = entrySignal.value;
  switch (entry.kind) {
    case "user":
      return (
        <UserMessage
          entry={entry}
          onEdit={onEdit === undefined ? undefined : () => onEdit(entrySignal)}
        />
      );
    case "assistant":
      return (
        <article class="entry assistant" aria-label="Agent" aria-busy={entry.isOpen}>
          <Markdown text={entry.text} />
          {!entry.isOpen && (
            <p class="entry-actions">
              <CopyButton text={entry.text} label="Copy message" />
            </p>
          )}
        </article>
      );
    case "thinking":
      return (
        <details class="entry thinking">
          <summary>{entry.isOpen ? "Thinking …" : "Thinking"}</summary>
          <Stored as="div" class="text" text={entry.text} />
        </details>
      );
    case "call":
      return <CallEntry call={entry} connection={connection} threadId={threadId} />;
    case "print":
      return <Stored as="pre" class="entry print" text={entry.text} />;
    case "note":
      return (
        <p class={`entry note ${entry.tone}`} role={entry.tone === "error" ? "alert" : undefined}>
          <Stored text={entry.text} />
        </p>
      );
    case "memory":
      return <MemoryEntry entry={entry} connection={connection} threadId={threadId} />;
  }
}

interface UserMessageProps {
  readonly entry: Extract<Entry, { kind: "user" }>;
  readonly onEdit: (() => void) | undefined;
}

const STATES = { queued: "queued", sent: "sending" } as const;

function UserMessage({ entry: { text, state }, onEdit }: UserMessageProps) {
  const { words, names } = splitImages(text);
  const isEditable = onEdit !== undefined && state === "said" && !text.startsWith("/");
  return (
    <article class="entry user" aria-label="You">
      {words !== "" && <Stored as="div" class="said" text={words} />}
      {names.map((name) => (
        <StoredPicture key={name} name={name} />
      ))}
      {state !== "said" && <span class="mark">{STATES[state]}</span>}
      <p class="entry-actions">
        {isEditable && <IconButton icon="edit" label="Edit message" onClick={onEdit} />}
        <CopyButton text={words} label="Copy message" />
      </p>
    </article>
  );
}

interface CallEntryProps extends Omit<EntryProps, "entrySignal" | "onEdit"> {
  readonly call: Call;
}

function CallEntry({ call, connection, threadId }: CallEntryProps) {
  const subagent = connection.log(threadId).subagents.find(call.subagentId);
  if (subagent === undefined) return <CallCard call={call} />;
  return (
    <SubagentCard
      subagent={subagent}
      draw={(entry, index) => (
        <ThreadEntry key={index} entrySignal={entry} connection={connection} threadId={threadId} />
      )}
    />
  );
}

interface SubagentProps {
  readonly subagent: Subagent;
  draw(entry: Signal<Entry>, index: number): VNode;
}

function SubagentCard({ subagent, draw }: SubagentProps) {
  const [isOpen, setOpen] = useState(false);
  const news = subagent.news.value;
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
        <SubagentFacts subagent={subagent} />
      </summary>
      {isOpen && <SubagentEntries subagent={subagent} draw={draw} />}
    </details>
  );
}

function SubagentEntries({ subagent, draw }: SubagentProps) {
  return (
    <div class="subagent-entries">
      <article class="entry user" aria-label="Task">
        <Stored as="div" class="said" text={subagent.news.value.task} />
      </article>
      {subagent.list.entries.value.map(draw)}
    </div>
  );
}

function SubagentFacts({ subagent }: Pick<SubagentProps, "subagent">) {
  const { state, spent } = subagent.news.value;
  const calls = subagent.list.entries.value.filter((entry) => entry.peek().kind === "call").length;
  return (
    <span class="subagent-facts">
      <span class={state === "failed" ? "mark warn" : "mark"}>{state}</span>
      {calls > 0 && <span>{calls === 1 ? "1 call" : `${calls} calls`}</span>}
      {spent !== undefined && (
        <span>{(spent.inputTokens + spent.outputTokens).toLocaleString("en")} tokens</span>
      )}
      {spent?.cost !== undefined && <span>${spent.cost.toFixed(3)}</span>}
    </span>
  );
}
