import type { Judges } from "./judges.ts";

/** A yes that is longer says something of its own; characters. */
const LONGEST_YES = 60;
const AGREES = 0.25;

/** Whether somebody agrees in a few words to what was said before. */
export function isAgreement(said: string, judges: Judges): boolean {
  const text = said.trim();
  if (text.length > LONGEST_YES || /[?？]/u.test(text)) return false;
  const { rules } = judges;
  if (rules.matches("agreement", text)) return true;
  const sentence = { by: "user", text, before: undefined, isFirst: true, rules } as const;
  return judges.classifier.scores(sentence).agreement > AGREES;
}
