import type { Writer } from "../../data/writer.ts";
import type { Choice } from "./decisions.tsx";
import type { Fact } from "./fact-card.tsx";
import type { FactPair } from "./pair-of-facts.ts";

interface Verdict extends Pick<Choice<unknown>, "id" | "title" | "key" | "look" | "isInItem"> {
  readonly told: string;
  opsFor(pair: FactPair): readonly object[];
}

const VERDICTS: readonly Verdict[] = [
  {
    id: "keep-1",
    title: "Only 1 holds",
    key: "1",
    isInItem: true,
    told: "The second fact is history.",
    opsFor: ([a, b]) => [supersede(b, a)],
  },
  {
    id: "keep-2",
    title: "Only 2 holds",
    key: "2",
    isInItem: true,
    told: "The first fact is history.",
    opsFor: ([a, b]) => [supersede(a, b)],
  },
  {
    id: "both",
    title: "Both hold",
    key: "b",
    look: "primary",
    told: "Both hold.",
    opsFor: (pair) => [dispute(pair), { op: "dismiss", id: "$it", note: "Both hold." }],
  },
  {
    id: "contradiction",
    title: "They contradict each other",
    key: "c",
    told: "Opened a conflict.",
    opsFor: (pair) => [dispute(pair)],
  },
];

/** The choices about the pair that is shown; none applies before it is. */
export function choicesFor(
  writer: Writer,
  pair: FactPair | undefined,
): readonly Choice<{ readonly id: string }>[] {
  return VERDICTS.map(({ told, opsFor, ...choice }) => ({
    ...choice,
    applies: ({ id }) => pair?.[0].id === id,
    async decide(_fact, options) {
      if (pair === undefined) return undefined;
      const changeset = JSON.stringify(opsFor(pair));
      return writer.write("apply", { changeset }, { ...options, done: told });
    },
  }));
}

function supersede(old: Fact, fresh: Fact) {
  return { op: "supersede", old: old.id, new: fresh.id };
}

function dispute([a, b]: FactPair) {
  return { op: "conflict", fact_a: a.id, fact_b: b.id, as: "it" };
}
