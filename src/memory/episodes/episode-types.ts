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
