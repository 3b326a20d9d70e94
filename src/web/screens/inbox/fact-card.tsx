import type { OutputOf } from "../../../memory/index.ts";
import { ItemLink } from "../../components/link.tsx";
import { Source, Stored } from "../../components/stored.tsx";
import { wordDifference } from "../../components/word-difference.ts";

export type Fact = OutputOf<"get_fact">["timeline"][number];

interface FactCardProps {
  readonly fact: Fact;
  readonly other: Fact;
  /** `older`, `newer`: which of the two began to hold first. */
  readonly label: string;
  readonly title: string;
}

/** One side of a contradiction. */
export function FactCard({ fact, other, label, title }: FactCardProps) {
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
            from <Source of={fact.source_ref} />
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

export function DifferingText({ text: said, other }: DifferingTextProps) {
  const pieces = wordDifference(other, said);
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

export function ageLabels(a: Fact, b: Fact): [string, string] {
  if (a.valid_from === b.valid_from) return ["same age", "same age"];
  return a.valid_from < b.valid_from ? ["older", "newer"] : ["newer", "older"];
}
