import {
  type Acceptance,
  judgeClaim,
  type LearningPassage,
  learnByRules,
} from "../learning/index.ts";
import type { Candidate } from "./candidate.ts";
import type { TranscriptEntry } from "./transcript.ts";

/** Preferences, decisions, facts and causes that somebody put into a sentence of their own. */
export function findStatements(
  entries: readonly TranscriptEntry[],
  accept: Acceptance = "auto",
): Candidate[] {
  const passages = learningPassages(entries);
  return learnByRules(passages).flatMap((claim): Candidate[] => {
    const judged = judgeClaim({ claim, passages, accept });
    if (judged.verdict === "refuse") return [];
    const { text: content, said_by: assertedBy, quotation, corrects, rejects } = claim;
    const entities = claim.files.map((path) => `file:${path}`);
    return [
      {
        ...CANDIDATES[claim.kind],
        ...{ content, entities, assertedBy, quotation, corrects, rejects },
        ...(judged.verdict === "propose" && { doubt: judged.reason }),
      },
    ];
  });
}

const CANDIDATES = {
  preference: { kind: "preference", episodeType: "preference" },
  decision: { kind: "decision", episodeType: "decision" },
  fact: { kind: "fact", episodeType: "fact" },
  outcome: { kind: "cure", episodeType: "outcome" },
  failed_attempt: { kind: "cure", episodeType: "outcome" },
} as const;

/** Tools by which words of strangers come in. */
const FOREIGN = /^(?:mcp__|web_?fetch|web_?search|fetch|browser|open_url|read_url)/i;

/** What was said, in order; from the reading of a page on until the person speaks again it says so. */
export function learningPassages(entries: readonly TranscriptEntry[]): LearningPassage[] {
  let hasReadForeign = false;
  return entries.flatMap((entry, index): LearningPassage[] => {
    if (entry.kind === "call" && FOREIGN.test(entry.tool)) hasReadForeign = true;
    if (entry.kind !== "said") return [];
    if (entry.by === "user") hasReadForeign = false;
    return [{ id: `entry:${index}`, by: entry.by, text: entry.text, hasReadForeign }];
  });
}
