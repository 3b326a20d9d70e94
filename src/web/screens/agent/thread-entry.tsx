import type { Signal } from "@preact/signals";
import type { AgentConnection } from "../../agent/agent-connection.ts";
import type { Call, Entry, Memory } from "../../agent/entry.ts";
import { ItemLink } from "../../components/link.tsx";
import { Said, Stored } from "../../components/stored.tsx";
import { TextBody } from "../../components/text-body.tsx";
import { DiffView } from "./diff-view.tsx";
import { SubagentCard } from "./subagent-card.tsx";

const TITLES = {
  memory: (count: number) => `Memory gave it ${count} ${count === 1 ? "thing" : "things"}`,
  offer: (count: number) =>
    `${count} ${count === 1 ? "thing is" : "things are"} worth keeping, if you say so`,
  learned: (count: number) => `Learned ${count} ${count === 1 ? "thing" : "things"}`,
} as const;

interface MemoryEntryProps {
  readonly of: Extract<Entry, { kind: "memory" }>;
  readonly connection: AgentConnection;
  readonly threadId: string;
}

function MemoryEntry({ of, connection, threadId }: MemoryEntryProps) {
  const { what, memories, text } = of;
  const say = (words: string) =>
    connection.send({ type: "message.user", payload: { threadId, text: words } });
  return (
    <details class="entry memory" open={what !== "memory"}>
      <summary title={text}>{memories.length === 0 ? text : TITLES[what](memories.length)}</summary>
      <ul class="lines">
        {memories.map((memory, index) => (
          <li key={memory.id}>
            <MemoryLine of={memory} isStored={what !== "offer"} />
            {what === "offer" && (
              <button
                type="button"
                class="button"
                onClick={() => {
                  connection.log(threadId).say(`/keep ${index + 1}`);
                  say(`/keep ${index + 1}`);
                }}
              >
                Keep
              </button>
            )}
          </li>
        ))}
      </ul>
      {what === "memory" && memories.length > 0 && (
        <p class="quiet">
          Is one of them wrong? Open it to correct, supersede or forget it, or say{" "}
          <button type="button" class="button" onClick={() => say("/wrong")}>
            /wrong
          </button>
        </p>
      )}
    </details>
  );
}

function MemorySeen({ of: { what, memories, text } }: Pick<MemoryEntryProps, "of">) {
  return (
    <details class="entry memory">
      <summary>{memories.length === 0 ? text : TITLES[what](memories.length)}</summary>
      <ul class="lines">
        {memories.map(({ id, text: said }) => (
          <li key={id}>
            <Said text={said} />
          </li>
        ))}
      </ul>
    </details>
  );
}

function MemoryLine({ of: { id, text, why }, isStored }: { of: Memory; isStored: boolean }) {
  if (!isStored) return <Said text={text} />;
  return (
    <>
      <ItemLink id={id}>
        <code class="id">{id}</code> <Said text={text} />
      </ItemLink>
      {why !== undefined && <span class="quiet why">{shownOf(why)}</span>}
    </>
  );
}

const HOW: Readonly<Record<NonNullable<Memory["why"]>["how"], string>> = {
  question: "is about what was asked",
  passage: "settled such a matter",
  standing: "holds for such work",
  tool: "names the tool to use",
  cure: "cured the same failure",
  file: "is about the file",
};

/** `is about what was asked: 0.82 (text 0.61, entity 1)` */
function shownOf({ how, score, parts = [] }: NonNullable<Memory["why"]>): string {
  const shares = parts.map(({ kind, amount }) => `${kind} ${amount.toFixed(2)}`);
  const ranked = score === undefined ? "" : `: ${score.toFixed(2)}`;
  return `${HOW[how]}${ranked}${shares.length === 0 ? "" : ` (${shares.join(", ")})`}`;
}

/** More than a line has room for. */
const LONG = 90;

function CallCard({ of }: { readonly of: Call }) {
  const { name, about, result, output, label } = of;
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
        {result !== undefined && (
          <Stored as="span" class="quiet" text={firstLine(result.summary)} />
        )}
      </summary>
      {output !== undefined && output !== "" && (
        <Stored as="pre" class="call-output" text={output} />
      )}
      {result?.diff !== undefined && <DiffView of={result.diff} />}
      <CallBody of={of} />
    </details>
  );
}

function CallBody({ of: { args, about, result } }: { readonly of: Call }) {
  const whole = wholeArguments(args, about);
  const said = result?.output ?? "";
  const summary = result?.summary ?? "";
  const isLong = summary.includes("\n") || summary.length > LONG;
  return (
    <>
      {whole !== "" && <Stored as="pre" class="call-args" text={whole} />}
      {isLong && <Stored as="pre" class="call-output" text={summary} />}
      {said !== "" && <Stored as="pre" class="call-output" text={said} />}
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

/** Texts of several lines are read better as they are than as JSON. */
function asWritten(value: unknown): string {
  if (typeof value !== "string") return JSON.stringify(value, undefined, 2);
  return value.includes("\n") ? `\n${value}` : value;
}

function firstLine(text: string): string {
  return text.split("\n", 1)[0] ?? "";
}

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
