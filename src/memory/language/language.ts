/**
 * One human language: its function words, and patterns for what people say about rules and decisions.
 * Patterns are sources of case-insensitive regular expressions that match whole words; in a language
 * without spaces between words they match anywhere. A language without a file is compared by its words
 * alone and nothing is learned from it by patterns.
 */
export interface Language {
  /** ISO 639-1. */
  readonly code: string;
  readonly hasSpaces: boolean;
  readonly functionWords: string;
  /** Conjunctions that introduce a reason. */
  readonly reasons: readonly string[];
  /** Words after which the next word is rejected: "not", "instead of". */
  readonly negations: readonly string[];
  /** Like `negations` in a language without spaces; the first group is the rejected word. */
  readonly negated: readonly string[];
  /** Words between a negation and the rejected word, separated by spaces. */
  readonly afterNegation: string;
  /** Announce that something else is valid from now on. */
  readonly amendments: readonly string[];
  /** A short yes. */
  readonly agreements: readonly string[];
  /** Words that limit a yes, separated by spaces. */
  readonly reservations: string;
  readonly objections: readonly string[];
  /** Explicit rules for the work. */
  readonly preference: readonly string[];
  /** Explicit decisions and requirements. */
  readonly decision: readonly string[];
  /** Explicit facts about the project. */
  readonly fact: readonly string[];
  readonly correction: readonly string[];
  /** Something replaces another thing; the first group is what is replaced. */
  readonly rejection: readonly string[];
  readonly retraction: readonly string[];
  /** Begins with a word for something outside of the sentence. */
  readonly dangling: readonly string[];
  /** An earlier statement ends; the first group, if any, is what it was about. */
  readonly ending: readonly string[];
  /** Meant for this moment only. */
  readonly passing: readonly string[];
  /** Asks for one piece of work. */
  readonly request: readonly string[];
  /** Reports what is broken. */
  readonly trouble: readonly string[];
  /** Considered or asked rather than stated. */
  readonly supposing: readonly string[];
  /** Somebody else's words. */
  readonly reporting: readonly string[];
}

/** The parts of a language that are lists of patterns. */
export type LanguagePart = {
  [Part in keyof Language]: Language[Part] extends readonly string[] ? Part : never;
}[keyof Language];
