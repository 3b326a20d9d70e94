import type { ContributionKind } from "./recall.schema.ts";

/** A share of one part of an activation that an item lent. */
export interface Arrival {
  readonly kind: Exclude<ContributionKind, "entity" | "date" | "question" | "echo">;
  readonly from: { readonly kind: "episode" | "concept"; readonly number: number };
  readonly amount: number;
}

/** What the parts of each activation came from: noted only for whoever asks to have them explained. */
export class Arrivals {
  readonly #byTarget = new Map<object, readonly Arrival[]>();

  of(target: object): readonly Arrival[] {
    return this.#byTarget.get(target) ?? [];
  }

  /** A share beside those that arrived before. */
  add(target: object, arrival: Arrival): void {
    this.#byTarget.set(target, [...this.of(target), arrival]);
  }

  /** Of this kind the strongest counts alone. */
  replace(target: object, arrival: Arrival): void {
    const others = this.of(target).filter(({ kind }) => kind !== arrival.kind);
    this.#byTarget.set(target, [...others, arrival]);
  }
}
