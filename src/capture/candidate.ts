import type { MistakePair } from "../memory/index.ts";

export const CANDIDATE_KINDS = [
  "preference",
  "decision",
  "fact",
  "mistake",
  "cure",
  "files",
] as const;
export const CANDIDATE_TYPES = [
  "preference",
  "decision",
  "fact",
  "outcome",
  "observation",
] as const;

/** Something of a session that a later one may want to know. */
export interface Candidate {
  readonly kind: (typeof CANDIDATE_KINDS)[number];
  readonly episodeType: (typeof CANDIDATE_TYPES)[number];
  /** Sentences that stand alone. */
  readonly content: string;
  /** `file:src/app.ts` */
  readonly entities: readonly string[];
  readonly assertedBy: "user" | "assistant";
  /** What was done wrong, and what instead, in a form that can be looked up. */
  readonly mistake?: MistakePair | undefined;
  /** The words that it stands on, where somebody said it. */
  readonly quotation?: string | undefined;
  /** Whether it takes back what was said or held before. */
  readonly corrects?: boolean | undefined;
  /** What it says does no longer hold. */
  readonly rejects?: readonly string[] | undefined;
  /** Why a person is asked first; absent where it is kept by itself. */
  readonly doubt?: string | undefined;
}
