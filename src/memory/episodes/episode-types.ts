/** The type whose episodes claim a fact. */
export const FACT = "fact";

export const BUILT_IN_EPISODE_TYPES = [
  "observation",
  "decision",
  "question",
  "preference",
  "meta",
  "outcome",
  FACT,
] as const;

/** What may claim that something holds: a fact at once, the others once something replaces or disputes them. */
export const CLAIMING_TYPES: readonly string[] = [FACT, "decision", "preference", "observation"];
