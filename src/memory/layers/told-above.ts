import { type LayerClaim, Overruling } from "../learned/overruling.ts";

/** What was told by now of layers that are read one after the other, the nearest first. */
export class ToldAbove {
  readonly #overruling = new Overruling();
  readonly #told: LayerClaim[] = [];

  /** What a nearer layer says otherwise; the claim counts for those behind it. */
  take(claim: LayerClaim): LayerClaim | undefined {
    const nearer = this.#told.find(
      (told) => told.layer !== claim.layer && this.#overruling.saysOtherwise(told, claim),
    );
    this.#told.push(claim);
    return nearer;
  }
}
