import type { ClaimKind } from "../claim.ts";

/** A sentence with what is learned from it: a kind, or null where nothing is. */
export type RuleExample = readonly [sentence: string, kind: ClaimKind | null];

/**
 * How one language says things that last, and things that do not. Each is the source of a regular
 * expression for whole words, the case aside; of a language without blanks it matches anywhere.
 */
export interface LanguageRules {
  readonly language: string;
  /** Whether words stand apart. */
  readonly isSpaced: boolean;
  /** How things are to be done, now and later. */
  readonly preference: readonly string[];
  /** What was settled. */
  readonly decision: readonly string[];
  /** What an assistant reports that was settled with the person. */
  readonly decided: readonly string[];
  /** That something said or held before is not so. */
  readonly correction: readonly string[];
  /** What is put in the place of something; the group is what is not wanted. */
  readonly rejection: readonly string[];
  /** How things are. Counts only with a name, a number or a path. */
  readonly fact: readonly string[];
  /** What was tried and did not help. */
  readonly failed: readonly string[];
  /** What was wrong, and what mended it. */
  readonly outcome: readonly string[];
  /** Meant for this moment alone. */
  readonly passing: readonly string[];
  /** Asks for one piece of work. */
  readonly request: readonly string[];
  /** Tells what went wrong, or looks wrong. */
  readonly trouble: readonly string[];
  /** Supposed, weighed or asked, not said to be so. */
  readonly supposing: readonly string[];
  /** Somebody else's words. */
  readonly reporting: readonly string[];
  /** A short yes to what was proposed. */
  readonly agreement: readonly string[];
  /** The sentence that sums up what was settled. */
  readonly recap: readonly string[];
  readonly examples: readonly RuleExample[];
}
