import { groupsOfPart, type LanguagePart, matchesPart } from "../../memory/index.ts";
import {
  type Claim,
  type ClaimKind,
  comparableText,
  type LearningPassage,
  pathsIn,
} from "./claim.ts";
import { isAgreement } from "./gate.ts";
import { echoOf, isTyped, type Sentence, sentencesOf } from "./typed-text.ts";

/** Earlier passages of the assistant that a message may hand back. */
const MAX_ECHOED = 20;
/** A message that is repeated and at least this long is a template. */
const MIN_TEMPLATE_CHARACTERS = 120;

export function learnByRules(passages: readonly LearningPassage[]): Claim[] {
  const repeated = repeatedTexts(passages);
  return passages.flatMap((passage, place) => {
    if (passage.by !== "user" || !isTyped(passage.text)) return [];
    if (repeated.has(comparableText(passage.text))) return [];
    const isEcho = echoOf(
      passages
        .slice(Math.max(0, place - MAX_ECHOED), place)
        .flatMap(({ by, text }) => (by === "assistant" ? [text] : [])),
    );
    return claimsOf(passage, isEcho);
  });
}

function repeatedTexts(passages: readonly LearningPassage[]): ReadonlySet<string> {
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const { by, text } of passages) {
    if (by !== "user" || text.length < MIN_TEMPLATE_CHARACTERS) continue;
    const comparable = comparableText(text);
    if (seen.has(comparable)) repeated.add(comparable);
    seen.add(comparable);
  }
  return repeated;
}

function claimsOf(passage: LearningPassage, isEcho: (sentence: string) => boolean): Claim[] {
  let before = /^[^.!,:;—–。！，]{1,30}[.!,:;—–。！，-]/u.exec(passage.text.trim())?.[0] ?? "";
  return sentencesOf(passage.text).flatMap((sentence): Claim[] => {
    const isAfterRetraction = before.length <= MAX_RETRACTION_CHARACTERS && retracts(before);
    before = sentence.text;
    const judged = judge(sentence.text, isAfterRetraction);
    return judged === undefined || isEcho(sentence.text)
      ? []
      : [claimOf(passage, sentence, judged)];
  });
}

interface Judged {
  readonly kind: ClaimKind;
  readonly corrects: boolean;
  /** It only has a meaning together with an earlier statement. */
  readonly onlyReplaces: boolean;
}

const MAX_RETRACTION_CHARACTERS = 40;
const QUESTION = /[?？]["'”’)*\s]*$/u;
const QUOTED = /^["“«„‘「『].*["”»“’」』][.!。]?$/u;
const NOT_STANDING: readonly LanguagePart[] = [
  ...(["dangling", "supposing", "reporting", "passing", "trouble"] as const),
];
const KINDS = ["preference", "decision", "fact"] as const;

/** Undefined for everything that is not an explicit statement. */
function judge(sentence: string, isAfterRetraction: boolean): Judged | undefined {
  if (QUESTION.test(sentence) || QUOTED.test(sentence) || isTechnical(sentence)) return undefined;
  const corrects = isAfterRetraction || retracts(sentence);
  const kind = KINDS.find((part) => matchesPart(part, sentence));
  const stands = !NOT_STANDING.some((part) => matchesPart(part, sentence));
  // A decision about one file is a task.
  const isTask = kind === "decision" && pathsIn(sentence).some((path) => path.includes("/"));
  if (kind !== undefined && stands && !isTask) {
    return { kind, corrects: corrects || matchesPart("correction", sentence), onlyReplaces: false };
  }
  const replaces =
    !isTask &&
    (corrects ||
      matchesPart("ending", sentence) ||
      (matchesPart("amendments", sentence) && !matchesPart("passing", sentence)) ||
      contrastsNumbers(sentence));
  if (!replaces || matchesPart("supposing", sentence) || matchesPart("reporting", sentence)) {
    return undefined;
  }
  return { kind: kind ?? "decision", corrects: true, onlyReplaces: true };
}

const retracts = (text: string): boolean => matchesPart("retraction", text);

/** "30 seconds, not 10" */
function contrastsNumbers(sentence: string): boolean {
  return /\d/.test(sentence) && rejectedIn(sentence).some((text) => /^\d/.test(text));
}

const SETTLING: readonly LanguagePart[] = [
  ...(["preference", "decision", "fact", "correction", "retraction", "ending"] as const),
];

/**
 * True if the user may have decided, corrected or confirmed something; a model then judges what.
 */
export function mayHaveSettled(passages: readonly LearningPassage[]): boolean {
  return passages.some(({ by, text }, place) => {
    if (by !== "user" || !isTyped(text)) return false;
    const reply = passages[place - 1];
    const isConfirmed = reply?.by === "assistant" && isAgreement(text) && settles(reply.text);
    return isConfirmed || settles(text);
  });
}

function settles(text: string): boolean {
  return sentencesOf(text).some(
    ({ text: sentence }) =>
      !QUESTION.test(sentence) && SETTLING.some((part) => matchesPart(part, sentence)),
  );
}

/** Code, references of terminals and output rather than a sentence. */
function isTechnical(sentence: string): boolean {
  return /[{}]|=>|\(\)|\w\(\w*\)|[│┃⚠✓✗→]|\t|^@\S+(?:\s@\S+)*\s*$|https?:\/\/\S+\s*$/.test(
    sentence,
  );
}

const VAGUE_REJECTION =
  /^(?:it|that|this|them|so|yet|sure|one|only|what|just|all|quite|necessarily|.{0,1})(?:\s|$)/i;
const MAX_REJECTED_WORDS = 5;

export function rejectedIn(sentence: string): readonly string[] {
  const found = groupsOfPart("rejection", sentence).filter(
    (text) => !VAGUE_REJECTION.test(text) && text.split(/\s+/u).length <= MAX_REJECTED_WORDS,
  );
  return [...new Set(found)];
}

function claimOf(
  { id, at, files = [] }: LearningPassage,
  { text, quotation }: Sentence,
  { kind, corrects, onlyReplaces }: Judged,
): Claim {
  return {
    ...{ kind, text, said_by: "user", at, quotation, evidence: [id], corrects },
    files: [...new Set([...pathsIn(text), ...files.filter((file) => text.includes(file))])],
    rejects: rejectedIn(text),
    ...(onlyReplaces && { onlyReplaces }),
  };
}
