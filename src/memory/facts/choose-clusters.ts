import type { Tx } from "../../database/index.ts";
import { entityKey } from "./cluster-entities.ts";
import { statementHash } from "./fact.queries.ts";
import { type FactPlace, type KnownClusters, loadKnownClusters } from "./known-clusters.ts";
import { type ClusterCandidate, matchCluster } from "./match-cluster.ts";

export interface NewClaim {
  readonly statement: string;
  readonly entities: readonly number[];
}

export interface ChosenCluster {
  readonly number: number;
  /** Undefined for a cluster that the claims themselves open. */
  readonly publicId: string | undefined;
  /** True if the claim opens it. */
  readonly isNew: boolean;
  /** True if a fact of it is about exactly the same entities. */
  readonly isAboutTheSame: boolean;
}

/** Clusters that are opened here are younger than any that there are. */
const FIRST_STAND_IN = 2 ** 52;

/**
 * The cluster of each new fact, in order, so that a fact may join what one before it has opened: of
 * those with a fact about exactly the same entities the oldest, else the one that `matchCluster`
 * finds. A fact about no entity joins the oldest fact of the same text.
 */
export async function chooseClusters(
  tx: Tx,
  claims: readonly NewClaim[],
): Promise<ChosenCluster[]> {
  const places = claims.map(({ statement, entities }) => ({
    key: entityKey(entities),
    hash: statementHash(statement),
    entities,
  }));
  const known = await loadKnownClusters(tx, places);
  const made = new MadeHere();
  return places.map((place) => {
    const chosen = choose(place, known, made) ?? made.open();
    made.add(place, chosen);
    return { ...chosen, publicId: known.publicIds.get(chosen.number) };
  });
}

type Choice = Omit<ChosenCluster, "publicId">;

function choose(place: FactPlace, known: KnownClusters, made: MadeHere): Choice | undefined {
  if (place.entities.length === 0) {
    return join(known.ofText.get(place.hash) ?? made.ofText.get(place.hash), false);
  }
  const same = Math.min(
    known.ofKey.get(place.key) ?? Number.POSITIVE_INFINITY,
    made.ofKey.get(place.key) ?? Number.POSITIVE_INFINITY,
  );
  if (Number.isFinite(same)) return join(same, true);
  const candidates = [...(known.within.get(place.key) ?? []), ...made.candidates(place.entities)];
  return join(matchCluster(place.entities, candidates), false);
}

function join(number: number | undefined, isAboutTheSame: boolean): Choice | undefined {
  return number === undefined ? undefined : { number, isNew: false, isAboutTheSame };
}

/** The facts that were placed so far. */
class MadeHere {
  /** The oldest cluster with a fact of this key. */
  readonly ofKey = new Map<string, number>();
  /** The cluster of the oldest fact of this text. */
  readonly ofText = new Map<string, number>();
  readonly #sets: ClusterCandidate[] = [];
  #opened = 0;

  open(): Choice {
    this.#opened += 1;
    return { number: FIRST_STAND_IN + this.#opened, isNew: true, isAboutTheSame: false };
  }

  add({ key, hash, entities }: FactPlace, { number }: Choice): void {
    const known = this.ofKey.get(key);
    if (known === undefined) this.#sets.push({ clusterId: number, entities });
    if (known === undefined || number < known) this.ofKey.set(key, number);
    if (!this.ofText.has(hash)) this.ofText.set(hash, number);
  }

  /** Every set of each cluster that shares an entity with these. */
  candidates(entities: readonly number[]): ClusterCandidate[] {
    const sharing = new Set(
      this.#sets
        .filter((set) => set.entities.some((number) => entities.includes(number)))
        .map(({ clusterId }) => clusterId),
    );
    return this.#sets.filter(({ clusterId }) => sharing.has(clusterId));
  }
}
