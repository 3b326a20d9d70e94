import { useMemo } from "preact/hooks";
import type { OutputOf } from "../../../memory/index.ts";
import { Failure } from "../../components/failure.tsx";
import { ItemLink } from "../../components/link.tsx";
import { Stored } from "../../components/stored.tsx";
import { Waiting } from "../../components/waiting.tsx";
import { useQuestion } from "../../data/use-question.ts";
import type { Writer } from "../../data/writer.ts";
import { usePage } from "../../page.ts";
import { type Choice, type DecisionOptions, Decisions } from "./decisions.tsx";

type Offered = OutputOf<"tidy">["offered"][number];

/** Two that may be one; the first stays. */
interface Pair {
  readonly kind: "concept" | "entity";
  readonly stays: Offered["items"][number];
  readonly other: Offered["items"][number];
}

/** Concepts and entities that may be the same under two names. */
export function Duplicates() {
  const { writer } = usePage();
  const { output, failure, again } = useQuestion("tidy", { dry_run: true }, { pause: 1_000 });
  const choices = useMemo(() => choicesOf(writer), [writer]);
  if (failure !== undefined) return <Failure of={failure} again={again} />;
  if (output === undefined) return <Waiting rows={4} />;
  const pairs = output.offered.flatMap(pairsOf);
  return (
    <Decisions
      items={pairs}
      total={pairs.length}
      keyOf={({ stays, other }) => `${stays.id} ~ ${other.id}`}
      choices={choices}
      label={({ kind }) => `Two names of ${kind === "concept" ? "concepts" : "entities"}`}
      nothing="No two concepts or entities are called nearly the same."
    >
      {({ kind, stays, other }) => (
        <>
          <h2>Are these the same {kind}?</h2>
          <div class="sides">
            {[stays, other].map(({ id, text }, index) => (
              <div class="side" key={id}>
                <p class="quiet">{index === 0 ? "This name stays" : "This one joins it"}</p>
                <ItemLink id={id}>
                  <Stored as="b" text={kind === "entity" ? id : text} />
                </ItemLink>
                {kind === "concept" && <ConceptSummary id={id} />}
              </div>
            ))}
          </div>
        </>
      )}
    </Decisions>
  );
}

function ConceptSummary({ id }: { readonly id: string }) {
  const { output } = useQuestion("get_concept", { concept_id: id });
  if (output === undefined) return <Waiting rows={2} />;
  return <Stored as="p" text={output.summary ?? ""} />;
}

function pairsOf({ kind, items: [stays, ...others] }: Offered): Pair[] {
  // Sentences that say nearly the same are facts to be decided, not names.
  if (kind === "episode" || stays === undefined) return [];
  return others.map((other) => ({ kind, stays, other }));
}

/** How a decision is written, with what is told of it. */
type Told = DecisionOptions & { readonly done: string };

function choicesOf(writer: Writer): readonly Choice<Pair>[] {
  const relate = (pair: Pair, relation: string, options: Told) => {
    const [source, target] = [pair.stays.id, pair.other.id];
    return pair.kind === "entity"
      ? writer.write("entity_relation", { source, target, relation }, options)
      : writer.write("link", { from: source, to: target, type: relation }, options);
  };
  return [
    {
      id: "merge-pair",
      title: "The same: merge",
      key: "m",
      look: "primary",
      decide(pair, { db, foreseen }) {
        const { kind, stays, other } = pair;
        const done = `${other.text} is ${stays.text}.`;
        if (kind === "entity") return relate(pair, "same_as", { db, foreseen, done });
        const input = { from: [other.id], into: stays.id, reason: "the same in other words" };
        return writer.write("merge", input, { db, foreseen, done });
      },
    },
    {
      id: "not-the-same",
      title: "Not the same",
      key: "n",
      decide: (pair, { db, foreseen }) =>
        relate(pair, "different_from", {
          db,
          foreseen,
          done: "Not the same, and not asked about again.",
        }),
    },
  ];
}
