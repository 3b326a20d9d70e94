import type { ContributionKind } from "./recall.schema.ts";

/** A share of one part of an activation, and the item it came from. */
export interface Arrival {
  readonly kind: Exclude<ContributionKind, "entity" | "date" | "question" | "echo">;
  readonly from: {
    readonly kind: "episode" | "concept";
    readonly number: number;
    readonly layer?: string | undefined;
  };
  readonly amount: number;
}

export class Arrivals {
  readonly #byTarget = new Map<object, readonly Arrival[]>();

  of(target: object): readonly Arrival[] {
    return this.#byTarget.get(target) ?? [];
  }

  /** Adds a share to those that arrived before. */
  add(target: object, arrival: Arrival): void {
    this.#byTarget.set(target, [...this.of(target), arrival]);
  }

  /** Replaces the shares of this kind, of which only the strongest counts. */
  replace(target: object, arrival: Arrival): void {
    const others = this.of(target).filter(({ kind }) => kind !== arrival.kind);
    this.#byTarget.set(target, [...others, arrival]);
  }
}
