import { isStandingInstruction } from "../memory/index.ts";
import type { Candidate } from "./candidate.ts";
import { sentencesOf } from "./sentences.ts";
import type { TranscriptEntry } from "./transcript.ts";

/** What a user says of how things are to be done, beside what is a standing instruction anyway. */
const PREFERENCES: readonly RegExp[] = [
  /\b(?:from now on|going forward|in (?:the )?future|as a rule|by default,? (?:use|write|put))\b/i,
  /\bI(?:'d| would)? (?:really )?(?:prefer|rather|dislike|hate)\b/i,
  /\bI (?:don't|do not) (?:like|want) (?:it when|you to|any)\b/i,
  /\b(?:don't|do not) ever\b/i,
  /\bwe (?:always|never|prefer)\b/i,
  /\b(?:use|write|run|prefer) .{2,60} (?:instead of|rather than)\b/i,
  /^(?:please,? )?remember(?: that|:)/i,
];

/** What was settled, by whom it may be. */
const DECISIONS: readonly RegExp[] = [
  /\b(?:we|I|they)(?:'ve| have)? (?:now |finally )?(?:decided|agreed|settled|chose|opted)\b/i,
  /^(?:the )?(?:decision|decided|agreed)\b[^?]{0,20}:/i,
  /\b(?:we|I)(?:'ll| will| shall) (?:go with|stick (?:with|to)|switch to|drop)\b/i,
];

/** What only a user can settle. */
const DECISIONS_OF_USERS: readonly RegExp[] = [
  /\b(?:let's|let us) (?:go with|use|switch to|stick (?:with|to)|keep|drop)\b/i,
];

const CURES: readonly RegExp[] = [
  /\b(?:the )?root cause (?:was|is|turned out)\b/i,
  /\bthe (?:problem|issue|bug|error|failure) (?:was|turned out to be|came from)\b/i,
  /\b(?:the fix (?:was|is)|fixed (?:it |this )?by|solved (?:it )?by)\b/i,
];

/** Plans of a model for its next step say nothing that lasts. */
const PASSING = /^(?:let me|now,? (?:let|I)|I'll (?:now|start|check|look)|next,? I)\b/i;

/** Preferences, decisions and causes that somebody put into a sentence of their own. */
export function findStatements(entries: readonly TranscriptEntry[]): Candidate[] {
  return entries.flatMap((entry) => {
    if (entry.kind !== "said") return [];
    return sentencesOf(entry.text).flatMap((sentence) => candidateOf(sentence, entry.by) ?? []);
  });
}

function candidateOf(sentence: string, by: "user" | "assistant"): Candidate | undefined {
  if (sentence.endsWith("?") || PASSING.test(sentence)) return undefined;
  const matches = (patterns: readonly RegExp[]) => patterns.some((each) => each.test(sentence));
  const shared = { entities: [], assertedBy: by };
  if (by === "user" && (isStandingInstruction(sentence) || matches(PREFERENCES))) {
    const content = sentence.replace(/^(?:please,? )?remember(?: that|:)\s*/i, "");
    return { ...shared, kind: "preference", episodeType: "preference", content };
  }
  if (matches(DECISIONS) || (by === "user" && matches(DECISIONS_OF_USERS))) {
    return { ...shared, kind: "decision", episodeType: "decision", content: sentence };
  }
  if (by === "assistant" && matches(CURES)) {
    return { ...shared, kind: "cure", episodeType: "outcome", content: sentence };
  }
  return undefined;
}
