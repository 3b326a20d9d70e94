import type { Claim, LearningPassage } from "./claim.ts";
import { pathsIn } from "./paths-in.ts";
import { CompiledRules } from "./rules/compiled-rules.ts";
import { isNotSaid, isPrecise, type Judgement, judgeSentence } from "./rules/judge-sentence.ts";
import { type Sentence, sentencesOf } from "./sentences.ts";

/** A yes that is longer says something of its own. */
const LONGEST_YES = 60;
/** How far back an answer is looked at for what somebody agreed to; passages. */
const LOOKED_BACK = 3;

/**
 * What passages say that lasts, by the rules of ten languages: standing instructions, decisions,
 * facts, corrections and failures in a person's own words, and what an assistant summed up or
 * proposed and a person agreed to. Passages are in the order in which they were said.
 */
export function learnByRules(passages: readonly LearningPassage[]): Claim[] {
  const rules = new CompiledRules();
  return passages.flatMap((passage, place) => {
    if (passage.by === "tool") return [];
    const before = passages.slice(0, place);
    const found = sentencesOf(passage.text);
    return passage.by === "user"
      ? [...ownWords(rules, passage, found), ...agreedTo(rules, passage, before)]
      : summedUp(rules, passage, { found, before });
  });
}

function ownWords(
  rules: CompiledRules,
  passage: LearningPassage,
  sentences: readonly Sentence[],
): Claim[] {
  let left = rules.matches("correction", firstWords(passage.text)) ? 2 : 0;
  return sentences.flatMap((sentence) => {
    left -= 1;
    const judged = judgeSentence(rules, sentence.text, { followsCorrection: left >= 0 });
    return judged === undefined ? [] : [claimOf(passage, sentence, judged)];
  });
}

/** "No." alone is too short for a sentence, and says how the next one is meant. */
function firstWords(text: string): string {
  return /^[^.!,:;—–。！，]{1,30}[.!,:;—–。！，-]/u.exec(text.trim())?.[0] ?? "";
}

/** Only causes and what was summed up: all else that an assistant says are its plans. */
function summedUp(
  rules: CompiledRules,
  passage: LearningPassage,
  { found, before }: { found: readonly Sentence[]; before: readonly LearningPassage[] },
): Claim[] {
  const people = before.filter(({ by }) => by === "user");
  return found.flatMap((sentence) => {
    if (isNotSaid(rules, sentence.text)) return [];
    if (rules.matches("recap", sentence.text) && isPreciseOrLong(sentence.text)) {
      const corrects = rules.matches("correction", sentence.text);
      const judged: Judgement = { kind: "decision", corrects, rejects: [] };
      const heard = people.slice(-MOST_HEARD).map(({ id }) => id);
      return [{ ...claimOf(passage, sentence, judged), evidence: [passage.id, ...heard] }];
    }
    if (rules.matches("decided", sentence.text)) {
      const corrects = rules.matches("correction", sentence.text);
      return [claimOf(passage, sentence, { kind: "decision", corrects, rejects: [] })];
    }
    if (!rules.matches("outcome", sentence.text)) return [];
    return [claimOf(passage, sentence, { kind: "outcome", corrects: false, rejects: [] })];
  });
}

/** Of a long talk the last words of the person are the ones that were summed up. */
const MOST_HEARD = 12;

function isPreciseOrLong(text: string): boolean {
  return isPrecise(text) || text.length >= 60;
}

/** What the assistant asked or summed up last, where this is a yes to it. */
function agreedTo(
  rules: CompiledRules,
  passage: LearningPassage,
  before: readonly LearningPassage[],
): Claim[] {
  const said = passage.text.trim();
  if (said.length > LONGEST_YES || !rules.matches("agreement", said)) return [];
  const answer = before.slice(-LOOKED_BACK).findLast(({ by }) => by === "assistant");
  if (answer === undefined) return [];
  const sentences = sentencesOf(answer.text);
  const proposal =
    sentences.findLast(({ text }) => rules.matches("recap", text) && isPrecise(text)) ??
    sentences.findLast(({ text }) => rules.matches("decision", text) && isPrecise(text));
  if (proposal === undefined) return [];
  const judged: Judgement = {
    kind: "decision",
    corrects: rules.matches("correction", proposal.text),
    rejects: [],
  };
  return [{ ...claimOf(answer, proposal, judged), evidence: [answer.id, passage.id] }];
}

function claimOf(
  { id, by, at, files = [] }: LearningPassage,
  { text, quotation }: Sentence,
  { kind, corrects, rejects }: Judgement,
): Claim {
  return {
    kind,
    text: text.replace(/^(?:please,? )?remember(?: that|:)\s*/i, ""),
    said_by: by === "user" ? "user" : "assistant",
    at,
    files: [...new Set([...pathsIn(text), ...files.filter((file) => text.includes(file))])],
    quotation,
    evidence: [id],
    corrects,
    rejects,
  };
}
