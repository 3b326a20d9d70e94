import type { MistakePair } from "../../memory/index.ts";

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

/** Something in a session that later sessions may need to know. */
export interface Candidate {
  readonly kind: (typeof CANDIDATE_KINDS)[number];
  readonly episodeType: (typeof CANDIDATE_TYPES)[number];
  /** Sentences that can be understood without their context. */
  readonly content: string;
  /** Entity ids such as `file:src/app.ts`. */
  readonly entities: readonly string[];
  readonly assertedBy: "user" | "assistant";
  /** A mistake and its correction, in a form that can be looked up. */
  readonly mistake?: MistakePair | undefined;
  readonly quotation?: string | undefined;
  /** True if it corrects something said or known before. */
  readonly corrects?: boolean | undefined;
  readonly rejects?: readonly string[] | undefined;
  /** Without an earlier statement that it replaces it is dropped. */
  readonly onlyReplaces?: boolean | undefined;
  readonly doubt?: string | undefined;
}

/** One event of a session, in the order of the transcript. */
export type TranscriptEntry =
  | { readonly kind: "said"; readonly by: "user" | "assistant"; readonly text: string }
  | {
      readonly kind: "call";
      readonly id: string | undefined;
      readonly tool: string;
      readonly input: Readonly<Record<string, unknown>>;
    }
  | {
      readonly kind: "result";
      readonly id: string | undefined;
      readonly text: string;
      /** True if the client reports a failure; undefined if it does not say. */
      readonly failed: boolean | undefined;
    };
