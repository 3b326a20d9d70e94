import { useState } from "preact/hooks";
import type { OutputOf } from "../../../memory/index.ts";
import { ActionButton } from "../../components/action-button.tsx";
import { Age } from "../../components/age.tsx";
import { TextField } from "../../components/controls.tsx";
import { wordDifference } from "../../components/difference.tsx";
import { Failure } from "../../components/failure.tsx";
import { ItemLink } from "../../components/link.tsx";
import { Loading } from "../../components/loading.tsx";
import { Source, Stored } from "../../components/stored.tsx";
import { useQuery } from "../../data/use-query.ts";
import { usePage } from "../../page.ts";
import { type Choice, type DecisionOptions, Decisions } from "./decisions.tsx";

type Conflict = OutputOf<"list_conflicts">["conflicts"][number];

/** Number of conflicts loaded ahead, so that the next one appears immediately. */
const READY = 50;

/** Shows one conflict at a time, with a key for each decision. */
export function Conflicts() {
  const { router, session } = usePage();
  const { as_of: asOf } = router.location.value.query;
  const { output, failure, retry } = useQuery("list_conflicts", {
    status: "open",
    limit: READY,
    ...(asOf && { until: asOf }),
  });
  const [note, setNote] = useState("");
  const choices = useChoices(note, () => setNote(""));
  if (failure !== undefined) return <Failure error={failure} retry={retry} />;
  if (output === undefined) return <Loading rows={4} />;
  return (
    <Decisions
      items={output.conflicts}
      total={output.total ?? output.conflicts.length}
      keyOf={({ id }) => id}
      wanted={router.location.value.query.conflict}
      choices={choices}
      label={({ id }) => `Conflict ${id}`}
      nothing="No open conflicts."
    >
      {(conflict) => (
        <>
          <ConflictCard conflict={conflict} />
          {session.canWrite && (
            <TextField label="Reason (optional)" value={note} onInput={setNote} />
          )}
        </>
      )}
    </Decisions>
  );
}

function useChoices(note: string, onUsed: () => void): readonly Choice<Conflict>[] {
  const { writer } = usePage();
  const takeNote = () => {
    onUsed();
    return note.trim() === "" ? {} : { note: note.trim() };
  };
  const keep = (winner: "fact_a" | "fact_b") => (conflict: Conflict, options: DecisionOptions) =>
    writer.write(
      "resolve_conflict",
      { conflict_id: conflict.id, winning_fact_id: conflict[winner].id, ...takeNote() },
      { ...options, done: `Resolved ${conflict.id}: kept ${conflict[winner].id}.` },
    );
  return [
    { id: "keep-1", title: "Keep first", key: "1", isInItem: true, decide: keep("fact_a") },
    { id: "keep-2", title: "Keep second", key: "2", isInItem: true, decide: keep("fact_b") },
    {
      id: "both",
      title: "Keep both",
      key: "b",
      decide: ({ id }, options) =>
        writer.write(
          "dismiss_conflict",
          { conflict_id: id, ...takeNote() },
          { ...options, done: `Dismissed ${id}: kept both.` },
        ),
    },
  ];
}

function ConflictCard({ conflict }: { readonly conflict: Conflict }) {
  const { fact_a: a, fact_b: b, description, severity, id, created_at: at } = conflict;
  return (
    <>
      <p class="item-line">
        <code class="id">{id}</code>
        <span class={severity === "high" ? "mark danger" : "mark warn"}>{severity}</span>
        <Age at={at} />
      </p>
      <Stored as="h2" text={description ?? "These statements contradict each other."} />
      <FactPair facts={[a, b]} kind="primary" />
    </>
  );
}

export type Fact = OutputOf<"get_fact">["timeline"][number];

interface FactPairProps {
  readonly facts: readonly [Fact, Fact];
  /** Look of the buttons. */
  readonly kind?: "primary";
}

/** Two facts side by side, each with the button that keeps it. */
export function FactPair({ facts: [a, b], kind }: FactPairProps) {
  const age = (fact: Fact, other: Fact) => {
    if (fact.valid_from === other.valid_from) return "same age";
    return fact.valid_from < other.valid_from ? "older" : "newer";
  };
  const look = kind === undefined ? "button" : `button ${kind}`;
  return (
    <div class="sides">
      <div class="side">
        <FactCard fact={a} other={b} label={age(a, b)} title="Fact 1" />
        <ActionButton id="keep-1" class={look} />
      </div>
      <div class="side">
        <FactCard fact={b} other={a} label={age(b, a)} title="Fact 2" />
        <ActionButton id="keep-2" class={look} />
      </div>
    </div>
  );
}

interface FactCardProps {
  readonly fact: Fact;
  readonly other: Fact;
  /** `older` or `newer`, by the start of validity. */
  readonly label: string;
  readonly title: string;
}

/** One fact of a conflict. */
function FactCard({ fact, other, label, title }: FactCardProps) {
  return (
    <article class="fact-card" aria-label={title}>
      <DifferingText text={fact.statement} other={other.statement} />
      <p class="quiet">
        <span class="mark">{label}</span> since {fact.valid_from.slice(0, 10)}
        {fact.asserted_by !== null && (
          <>
            , by <Stored text={fact.asserted_by} />
          </>
        )}
      </p>
      <p class="quiet">
        <ItemLink id={fact.episode_id} />
        {fact.source_ref !== null && (
          <>
            {" "}
            from <Source source={fact.source_ref} />
          </>
        )}
      </p>
    </article>
  );
}

interface DifferingTextProps {
  readonly text: string;
  readonly other: string;
}

function DifferingText({ text: message, other }: DifferingTextProps) {
  const pieces = wordDifference(other, message);
  return (
    <p class="statement">
      {pieces.map(({ text, kind }, index) =>
        kind === "removed" ? null : kind === "added" ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no other identity
          <Stored key={index} as="mark" text={text} />
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: as above
          <Stored key={index} text={text} />
        ),
      )}
    </p>
  );
}
