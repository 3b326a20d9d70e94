import type { Writer } from "../../data/writer.ts";
import type { Choice } from "./decisions.tsx";
import type { Fact } from "./fact-card.tsx";

interface Verdict extends Pick<Choice<unknown>, "id" | "title" | "key" | "look" | "isInItem"> {
  readonly told: string;
  opsFor(pair: FactPair): readonly object[];
}

const VERDICTS: readonly Verdict[] = [
  {
    id: "keep-1",
    title: "Keep first",
    key: "1",
    isInItem: true,
    told: "Superseded the second fact.",
    opsFor: ([a, b]) => [supersede(b, a)],
  },
  {
    id: "keep-2",
    title: "Keep second",
    key: "2",
    isInItem: true,
    told: "Superseded the first fact.",
    opsFor: ([a, b]) => [supersede(a, b)],
  },
  {
    id: "both",
    title: "Keep both",
    key: "b",
    look: "primary",
    told: "Kept both facts.",
    opsFor: (pair) => [dispute(pair), { op: "dismiss", id: "$it", note: "Not a contradiction." }],
  },
  {
    id: "contradiction",
    title: "Mark as conflict",
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

export type FactPair = readonly [Fact, Fact];

interface Cluster {
  readonly facts: readonly Fact[];
  readonly conflicts: readonly { readonly fact_a: Fact; readonly fact_b: Fact }[];
}

/** The fact and the first other one of its cluster that it was never compared with. */
export function pairOf(id: string, cluster: Cluster | undefined): FactPair | undefined {
  if (cluster === undefined) return undefined;
  const active = cluster.facts.filter(({ status }) => status === "active");
  const fact = active.find((one) => one.id === id);
  if (fact === undefined) return undefined;
  const isCompared = (other: Fact) =>
    cluster.conflicts.some(
      ({ fact_a: a, fact_b: b }) =>
        (a.id === id && b.id === other.id) || (b.id === id && a.id === other.id),
    );
  const other = active.find(
    (one) =>
      one.id !== id &&
      !isCompared(one) &&
      (one.statement === fact.statement ||
        one.entities.some((entity) => fact.entities.includes(entity))),
  );
  return other === undefined ? undefined : [fact, other];
}
