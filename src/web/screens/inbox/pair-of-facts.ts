import type { Fact } from "./fact-card.tsx";

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
