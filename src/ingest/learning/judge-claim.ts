import { hasReservation, maskSecrets, matchesPart } from "../../memory/index.ts";
import { type Claim, comparableText, type LearningPassage, type Verdict } from "./typed-text.ts";

/** `auto` stores the user's statements; `ask` proposes everything for review. */
export const ACCEPTANCES = ["auto", "ask"] as const;
export type Acceptance = (typeof ACCEPTANCES)[number];

export interface GateRequest {
  readonly claim: Claim;
  readonly passages: readonly LearningPassage[];
  readonly accept: Acceptance;
}

const MIN_QUOTATION_CHARACTERS = 4;
const MAX_NEW_WORD_RATIO = 0.5;
/**
 * Minimum fraction of the user's words for an assistant's summary to count as the user's statement.
 */
const MIN_USER_SHARE = 0.3;

/**
 * Accepts, proposes or refuses a claim. The cited passage must contain its quotation. Tools, pages
 * and files cannot state preferences or decisions. A turn that read untrusted content can only
 * propose.
 */
export function judgeClaim(request: GateRequest): Verdict {
  const { claim, passages } = request;
  const refuse = (reason: string): Verdict => ({ verdict: "refuse", claim, reason });
  const [source, ...others] = claim.evidence.map((id) => passages.find((each) => each.id === id));
  if (source === undefined || others.includes(undefined)) return refuse("it cites no passage");
  const quotation = comparableText(claim.quotation);
  if (quotation.length < MIN_QUOTATION_CHARACTERS || !containsWords(source.text, quotation)) {
    return refuse("the passage does not contain its quotation");
  }
  if (countNewWords(claim) > MAX_NEW_WORD_RATIO) return refuse("its quotation does not support it");
  if (source.by === "tool" && claim.kind !== "outcome") {
    return refuse("tools, pages and files cannot state decisions or preferences");
  }
  if (claim.said_by === "user" && source.by !== "user") return refuse("the user did not state it");
  return acceptTrusted(source, request);
}

function acceptTrusted(source: LearningPassage, { claim, passages, accept }: GateRequest): Verdict {
  const propose = (reason: string): Verdict => ({ verdict: "propose", claim, reason });
  if (accept === "ask") return propose("learn.accept is ask");
  if (source.by === "user") return { verdict: "accept", claim };
  if (source.hasReadForeign === true) return propose("the turn had read untrusted content");
  if (claim.kind === "outcome" || claim.kind === "failed_attempt") {
    return { verdict: "accept", claim };
  }
  const userPassages = passages.filter(
    ({ id, by }) => by === "user" && claim.evidence.includes(id),
  );
  const answers = claim.evidence.length === 2;
  const agrees = userPassages.some(
    ({ text }) => isAgreement(text) || (answers && isAgreementTo(source.text, text)),
  );
  const isHeard =
    wordOverlap(claim.text, userPassages.map(({ text }) => text).join("\n")) >= MIN_USER_SHARE;
  return agrees || isHeard
    ? { verdict: "accept", claim }
    : propose("the assistant stated it without confirmation by the user");
}

function containsWords(text: string, comparable: string): boolean {
  return (
    ` ${comparableText(text)} `.includes(` ${comparable} `) ||
    removeSpaces(text).includes(removeSpaces(comparable))
  );
}

/** For scripts without word separators. */
function removeSpaces(text: string): string {
  return /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)
    ? comparableText(text).replaceAll(" ", "")
    : comparableText(text);
}

function countNewWords({ text, quotation }: Claim): number {
  return 1 - wordOverlap(text, quotation);
}

/** Returns the fraction of words in `text` that `other` contains. */
function wordOverlap(text: string, other: string): number {
  const words = new Set(comparableText(text).split(" "));
  const known = new Set(comparableText(other).split(" "));
  if (words.size === 0) return 1;
  return [...words].filter((word) => known.has(word)).length / words.size;
}

export async function withoutSecrets(verdict: Verdict): Promise<Verdict> {
  const { claim } = verdict;
  const [text, quotation] = await Promise.all([
    maskSecrets(claim.text),
    maskSecrets(claim.quotation),
  ]);
  if (text === claim.text && quotation === claim.quotation) return verdict;
  const masked = { ...claim, text, quotation };
  return { verdict: "refuse", claim: masked, reason: "it tells a secret" };
}

const MAX_AGREEMENT_CHARACTERS = 60;
const QUESTION_END = /[?？][\s"'”’»)]*$/u;

function isAgreement(reply: string): boolean {
  const text = reply.trim();
  if (text.length > MAX_AGREEMENT_CHARACTERS || /[?？]/u.test(text)) return false;
  return matchesPart("agreements", text);
}

function isAgreementTo(question: string, reply: string): boolean {
  if (!QUESTION_END.test(question) || hasReservation(reply)) return false;
  if (isAgreement(reply)) return true;
  const [opening = ""] = /^[^.!,:;—–。！，?？]{1,30}[.!,:;—–。！，]/u.exec(reply.trim()) ?? [];
  const rest = reply.trim().slice(opening.length).trim();
  return opening !== "" && isAgreement(opening) && !matchesPart("correction", rest);
}
