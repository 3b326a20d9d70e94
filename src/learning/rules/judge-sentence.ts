import { isStandingInstruction } from "../../memory/index.ts";
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
  /^(?:it|that|this|them|so|yet|sure|only|what|just|all|quite|necessarily|.{0,1})(?:\s|$)/i;

export interface SentencePlace {
  /** Whether the one before it, in the same breath, took something back. */
  readonly followsCorrection: boolean;
}

/** What a person said in a sentence that lasts; undefined for what is of the moment or not said to be so. */
export function judgeSentence(
  rules: CompiledRules,
  sentence: string,
  { followsCorrection }: SentencePlace = { followsCorrection: false },
): Judgement | undefined {
  if (isNotSaid(rules, sentence)) return undefined;
  const rejects = rejectedIn(rules, sentence);
  const corrects = followsCorrection || rules.matches("correction", sentence);
  const kind = kindOf(rules, sentence, corrects);
  return kind === undefined ? undefined : { kind, corrects, rejects };
}

/** What it says that is not wanted any more. */
export function rejectedIn(rules: CompiledRules, sentence: string): readonly string[] {
  const found = rules.groups("rejection", sentence).filter((text) => !NOT_REJECTED.test(text));
  return [...new Set(found)];
}

/** Questions, suppositions, other people's words, and what is meant for now. */
export function isNotSaid(rules: CompiledRules, sentence: string): boolean {
  if (QUESTION.test(sentence) || QUOTED.test(sentence)) return true;
  return (["supposing", "reporting", "passing"] as const).some((part) =>
    rules.matches(part, sentence),
  );
}

function kindOf(rules: CompiledRules, sentence: string, corrects: boolean): ClaimKind | undefined {
  if (rules.matches("failed", sentence)) return "failed_attempt";
  if (rules.matches("decision", sentence)) return "decision";
  if (rules.matches("preference", sentence) || isStandingInstruction(sentence)) return "preference";
  if (rules.matches("outcome", sentence)) return "outcome";
  const rest = corrects ? withoutMark(rules, sentence) : sentence;
  if (!PRECISE.test(rest)) return undefined;
  if (rules.matches("preference", rest)) return "preference";
  if (rules.matches("fact", rest)) return "fact";
  return corrects && rest.length >= SHORTEST_CORRECTION ? "decision" : undefined;
}

const SHORTEST_CORRECTION = 16;

/** "That's wrong, the limit is 30" says that the limit is 30. */
function withoutMark(rules: CompiledRules, sentence: string): string {
  const [, mark, rest] =
    /^([^,.:;—–。，、：；-]{1,40}?)\s*[,.:;—–。，、：；-]+\s*(.+)$/u.exec(sentence) ?? [];
  if (mark === undefined || rest === undefined) return sentence;
  return rules.matches("correction", `${mark},`) ? rest : sentence;
}

/** Whether a rule is precise enough to be held against others. */
export function isPrecise(text: string): boolean {
  return PRECISE.test(text);
}
