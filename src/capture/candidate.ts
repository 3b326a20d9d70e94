/** Something of a session that a later one may want to know. */
export interface Candidate {
  readonly kind: "preference" | "decision" | "cure" | "files";
  readonly episodeType: "preference" | "decision" | "outcome" | "observation";
  /** Sentences that stand alone. */
  readonly content: string;
  /** `file:src/app.ts` */
  readonly entities: readonly string[];
  readonly assertedBy: "user" | "assistant";
}
