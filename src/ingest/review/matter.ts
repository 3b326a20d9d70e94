/** From the gravest down. */
export const LEVELS = ["error", "warning", "note"] as const;

export type Level = (typeof LEVELS)[number];

/** The kinds of matters, each with what it means. */
export const RULES = {
  "repeats-mistake": "The change writes again what was taken back or corrected before.",
  "speaks-against": "The change holds what a decision or a preference rules out.",
  "lacks-what-is-wanted": "The change brings something without what was decided to go with it.",
  disputed: "What is known of the file is contradicted, and nobody has settled it.",
  decided: "Something was decided or is preferred about the file.",
  "failed-before": "Something went wrong with the file before.",
} as const;

export type Rule = keyof typeof RULES;

/** Something that memory has about a change. */
export interface Matter {
  readonly rule: Rule;
  readonly level: Level;
  /** Relative to the top of the work tree. */
  readonly path: string;
  /** Where in the changed file; absent: the file as a whole. */
  readonly line?: number;
  /** One sentence, with what was said in quotes. */
  readonly message: string;
  /** What it rests on: `ep:41`. */
  readonly id: string;
  /** When that was said; ISO 8601. */
  readonly at: string;
  readonly by: string | null;
}

/** Whether one is as grave as `level`, or graver. */
export function isAtLeast(matter: Matter, level: Level): boolean {
  return LEVELS.indexOf(matter.level) <= LEVELS.indexOf(level);
}
