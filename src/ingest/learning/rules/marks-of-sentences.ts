import type { ClaimKind } from "../claim.ts";
import type { CompiledRules } from "./compiled-rules.ts";

/** What a sentence says that lasts. */
export interface Judgement {
  readonly kind: ClaimKind;
  /** Whether it says that something else was said or held before. */
  readonly corrects: boolean;
  /** What it says is not wanted or does not hold. */
  readonly rejects: readonly string[];
}

/** Numbers, names with marks or capitals in them, paths, code: what a rule is precise by. */
const PRECISE =
  /`[^`]+`|\d|(?<=\S\s+["'(]*)\p{Lu}[\p{L}\p{N}.]+|\p{Ll}\p{Lu}|\w[._/]\w|\b\p{Lu}{2,}|["“«][^"”»]+["”»]/u;
const QUESTION = /[?？]["'”’)*\s]*$/u;
const QUOTED = /^["“«„‘「『].*["”»“’」』][.!。]?$/u;
/** Where two more words follow a name, what they speak of is not a place in a text. */
const NOT_REJECTED =
  /^(?:it|that|this|them|so|yet|sure|one|only|what|just|all|quite|necessarily|.{0,1})(?:\s|$)/i;

/** Words of a name, or of what is done: of more, the sentence says no to all that it is about. */
const MOST_REJECTED = 5;

/** What it says that is not wanted any more. */
export function rejectedIn(rules: CompiledRules, sentence: string): readonly string[] {
  const found = rules
    .groups("rejection", sentence)
    .filter((text) => !NOT_REJECTED.test(text) && text.split(/\s+/u).length <= MOST_REJECTED);
  return [...new Set(found)];
}

/** Questions, suppositions, other people's words, and what is meant for now. */
export function isNotSaid(rules: CompiledRules, sentence: string): boolean {
  if (QUESTION.test(sentence) || QUOTED.test(sentence)) return true;
  return (["supposing", "reporting", "passing"] as const).some((part) =>
    rules.matches(part, sentence),
  );
}

/** Whether a rule is precise enough to be held against others. */
export function isPrecise(text: string): boolean {
  return PRECISE.test(text);
}
