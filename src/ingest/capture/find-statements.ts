import {
  type Acceptance,
  judgeClaim,
  type LearningPassage,
  learnByRules,
} from "../learning/index.ts";
import type { Candidate, TranscriptEntry } from "./candidate.ts";
import type { StatedBefore } from "./session-reading.ts";

/** Number of recent statements are remembered. */
const MAX_SAID_BEFORE = 12;
const LONGEST_SAID_BEFORE = 4_000;

export interface FoundStatements {
  readonly statements: readonly Candidate[];
  /** Recent statements, for the next part of the session. */
  readonly said: readonly StatedBefore[];
}

/**
 * Preferences, decisions, facts and causes that somebody stated in a sentence of its own. Earlier statements
 * are passed in so that a yes to them counts; nothing is found in them again.
 */
export function findStatements(
  entries: readonly TranscriptEntry[],
  accept: Acceptance = "auto",
  before: readonly StatedBefore[] = [],
): FoundStatements {
  const earlier = before.map((one, index) => ({ ...one, id: `before:${index}` }));
  const news = learningPassages(entries);
  const passages = [...earlier, ...news];
  const isNew = new Set(news.map(({ id }) => id));
  const statements = learnByRules(passages).flatMap((claim): Candidate[] => {
    if (!claim.evidence.some((id) => isNew.has(id))) return [];
    const judged = judgeClaim({ claim, passages, accept });
    if (judged.verdict === "refuse") return [];
    const { text: content, said_by: assertedBy, quotation, corrects, rejects } = claim;
    const entities = claim.files.map((path) => `file:${path}`);
    return [
      {
        ...CANDIDATES[claim.kind],
        ...{ content, entities, assertedBy, quotation, corrects, rejects },
        ...(claim.onlyReplaces === true && { onlyReplaces: true }),
        ...(judged.verdict === "propose" && { doubt: judged.reason }),
      },
    ];
  });
  return { statements, said: passages.slice(-MAX_SAID_BEFORE).map(shortened) };
}

function shortened({ by, text, hasReadForeign }: StatedPassage): StatedBefore {
  return { by, text: text.slice(-LONGEST_SAID_BEFORE), ...(hasReadForeign && { hasReadForeign }) };
}

const CANDIDATES = {
  preference: { kind: "preference", episodeType: "preference" },
  decision: { kind: "decision", episodeType: "decision" },
  fact: { kind: "fact", episodeType: "fact" },
  outcome: { kind: "cure", episodeType: "outcome" },
  failed_attempt: { kind: "cure", episodeType: "outcome" },
} as const;

const FOREIGN = /^(?:mcp__|web_?fetch|web_?search|fetch|browser|open_url|read_url)/i;

type StatedPassage = LearningPassage & { readonly by: StatedBefore["by"] };

export function learningPassages(entries: readonly TranscriptEntry[]): StatedPassage[] {
  let hasReadForeign = false;
  return entries.flatMap((entry, index): StatedPassage[] => {
    if (entry.kind === "call" && FOREIGN.test(entry.tool)) hasReadForeign = true;
    if (entry.kind !== "said") return [];
    if (entry.by === "user") hasReadForeign = false;
    return [{ id: `entry:${index}`, by: entry.by, text: entry.text, hasReadForeign }];
  });
}
