/** Something that is said to hold, before it is stored or after. */
export interface SaidToHold {
  readonly content: string;
  readonly episode_type: string;
  /** `type:name` */
  readonly entities: readonly string[];
}

/** Ids of what a claim contradicts in farther layers, `team/ep:5`. */
export type AgainstFarther = (claim: Pick<SaidToHold, "content" | "episode_type">) => string[];

/** Where no layer stands behind the memory. */
export const AGAINST_NOTHING: AgainstFarther = () => [];
