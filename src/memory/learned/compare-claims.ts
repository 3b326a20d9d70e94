import { isNumber, type Wording } from "../language/wordings.ts";

export type Relation = "same" | "replaces" | "disputes" | "none";

export interface Compared {
  readonly relation: Relation;
  /** Word overlap, 0..1, which selects the replaced candidate. */
  readonly similarity: number;
  readonly isBare: boolean;
}

export interface NewClaim {
  readonly wording: Wording;
  /** True if it states that something else was valid before. */
  readonly corrects: boolean;
  /** True if it explicitly marks something as wrong or changed. */
  readonly retracts: boolean;
  readonly endsValidity: boolean;
  /** True if it explicitly amends or replaces a rule. */
  readonly amends: boolean;
  readonly type: string;
}

export interface ActiveClaim {
  readonly wording: Wording;
  readonly type: string;
  readonly wasShown: boolean;
}

const MAX_OTHER_WORDS_CLOSE = 2;
const MAX_OTHER_WORDS = 5;
const MAX_NEW_VALUE_WORDS = 3;
const MIN_SIMILARITY = 0.25;
/** Lower threshold, because an ending describes its subject in other words. */
const MIN_SIMILARITY_TO_ENDED = 0.2;
const MIN_AMENDED_WORDS = 4;
const MIN_AMENDED_RATIO = 0.45;
const MIN_DISPUTED_SIMILARITY = 0.2;

/**
 * Compares a new statement with a valid one by their words. The signal is a rejected word that the
 * old statement affirms. A replacement also needs evidence of the same subject: shared words, a
 * short old statement, or that it was shown in this session. Otherwise the pair conflicts and the
 * user decides.
 */
export function compareClaims(claim: NewClaim, stored: ActiveClaim): Compared {
  const [a, o] = [claim.wording, stored.wording];
  const own = [...a.affirmed];
  const shared = own.filter((word) => o.affirmed.has(word) || o.compounds.has(word));
  const hits = [...a.rejected].filter((word) => o.affirmed.has(word) && !a.affirmed.has(word));
  const returns = own.filter((word) => o.rejected.has(word));
  const others = [...o.affirmed].filter((word) => !a.affirmed.has(word) && !hits.includes(word));
  const subject = own.filter((word) => !returns.includes(word));
  const meeting = {
    ...{ shared, hits, returns, others, subject },
    fresh: subject.filter((word) => !shared.includes(word)),
  };
  const similarity = shared.length / Math.max(1, new Set([...a.affirmed, ...o.affirmed]).size);
  const isBare = isBareClaim(a);
  return {
    relation: compareWithStored(claim, stored, { ...meeting, similarity, isBare }),
    similarity,
    isBare,
  };
}

interface SharedWords {
  readonly shared: readonly string[];
  readonly hits: readonly string[];
  readonly returns: readonly string[];
  readonly others: readonly string[];
  /** Affirmed words of the new statement that the old one does not reject. */
  readonly subject: readonly string[];
  readonly fresh: readonly string[];
  readonly similarity: number;
  readonly isBare: boolean;
}

function compareWithStored(claim: NewClaim, stored: ActiveClaim, meeting: SharedWords): Relation {
  const { hits, returns } = meeting;
  if (endsClaim(claim.wording, stored.wording)) return "replaces";
  if (contradicts(claim, meeting)) return "none";
  if (claim.amends && restatesClaim(claim, stored, meeting)) return "replaces";
  if (hits.length === 0 && returns.length === 0) {
    return haveSameStatement(claim, stored, meeting)
      ? "same"
      : compareWithoutSignal(claim, stored, meeting);
  }
  return hits.some((word) => !isNumber(word)) || returns.length > 0
    ? compareNames(stored, meeting)
    : compareNumbers(stored, meeting);
}

function endsClaim({ ended }: Wording, stored: Wording): boolean {
  return ended.some((subject) =>
    [...subject].every((word) => stored.affirmed.has(word) || stored.rejected.has(word)),
  );
}

/**
 * Returns true if both statements have distinct subjects: "In the web app Zustand, not Redux" does
 * not replace "In the mobile app we use Redux". Each then has an unshared word besides the value.
 */
function contradicts({ retracts }: NewClaim, { hits, others, fresh }: SharedWords): boolean {
  if (retracts || hits.length === 0) return false;
  const onlyInStored = others.filter((word) => !isNumber(word));
  const isOfNumbers = hits.every(isNumber);
  const newOnlyCount =
    fresh.filter((word) => !isNumber(word)).length - (isOfNumbers ? 0 : hits.length);
  return onlyInStored.length > 0 && newOnlyCount > 0;
}

function restatesClaim(
  claim: NewClaim,
  stored: ActiveClaim,
  { shared, fresh, hits }: SharedWords,
): boolean {
  const shorter = Math.min(claim.wording.affirmed.size, stored.wording.affirmed.size);
  const common = shared.length + hits.length;
  const saysOther = fresh.length + hits.length > 0;
  return saysOther && common >= MIN_AMENDED_WORDS && common >= shorter * MIN_AMENDED_RATIO;
}

/** "Deploy with Helm, not kubectl": the rejected name is part of the subject. */
function compareNames({ wasShown }: ActiveClaim, meeting: SharedWords): Relation {
  const { shared, others, fresh, hits, similarity } = meeting;
  const few = MAX_OTHER_WORDS_CLOSE + (hits.length > 1 ? 1 : 0);
  const isIntended = shared.length > 0 ? fresh.length <= MAX_NEW_VALUE_WORDS : fresh.length <= 1;
  if (isIntended && others.length <= few) return "replaces";
  if (isIntended && wasShown && shared.length > 0 && others.length <= MAX_OTHER_WORDS)
    return "replaces";
  if (isIntended && wasShown) return "disputes";
  return similarity >= MIN_DISPUTED_SIMILARITY && others.length <= MAX_OTHER_WORDS
    ? "disputes"
    : "none";
}

function compareNumbers(
  { wasShown }: ActiveClaim,
  { shared, subject, isBare }: SharedWords,
): Relation {
  const counted = subject.filter((word) => !isNumber(word));
  if (isBare) return wasShown && shared.length > 0 ? "replaces" : "none";
  const known = counted.filter((word) => shared.includes(word)).length;
  if (known > 1 && known === counted.length) return "replaces";
  if (known > 0 && wasShown && known * 2 >= counted.length) return "replaces";
  return known > 0 && known * 2 >= counted.length ? "disputes" : "none";
}

function compareWithoutSignal(
  claim: NewClaim,
  stored: ActiveClaim,
  meeting: SharedWords,
): Relation {
  const { shared, others, fresh, similarity } = meeting;
  const differ = others.some(isNumber) && fresh.some(isNumber);
  if (differ && findNonNumbers(fresh) === 0 && shared.length > 1) {
    return claim.corrects && findNonNumbers(others) <= MAX_OTHER_WORDS_CLOSE
      ? "replaces"
      : "disputes";
  }
  if (!claim.corrects || shared.length === 0 || fresh.length > MAX_NEW_VALUE_WORDS) return "none";
  if (
    similarity < (claim.endsValidity ? MIN_SIMILARITY_TO_ENDED : MIN_SIMILARITY) ||
    others.length > MAX_OTHER_WORDS_CLOSE + 1
  )
    return "none";
  const isDecided = claim.type === "decision" && stored.type === "decision";
  return claim.endsValidity || isDecided ? "replaces" : "disputes";
}

function findNonNumbers(words: readonly string[]): number {
  return words.filter((word) => !isNumber(word)).length;
}

/** "30 seconds, not 10", "pnpm, not npm" */
function isBareClaim({ affirmed, rejected }: Wording): boolean {
  if (rejected.size === 0) return false;
  const numbers = [...affirmed].filter(isNumber).length;
  return numbers === 1 ? affirmed.size <= 2 : numbers === 0 && affirmed.size === 1;
}

function haveSameStatement(claim: NewClaim, stored: ActiveClaim, meeting: SharedWords): boolean {
  const [a, o] = [claim.wording, stored.wording];
  const { shared, others, fresh } = meeting;
  if (meeting.isBare && fresh.length === 0 && stored.wasShown) return true;
  if (shared.length === 0 || [...others, ...fresh].some(isNumber)) return false;
  if (claim.corrects && fresh.length > 0) return false;
  const rejectAlike = a.rejected.size === o.rejected.size && isWithin(a.rejected, o.rejected);
  if (a.rejected.size > 0 && rejectAlike) return fresh.length <= MAX_OTHER_WORDS_CLOSE;
  if (a.rejected.size > 0 && !isWithin(a.rejected, o.rejected)) {
    return others.length === 0 && fresh.length === 0;
  }
  return others.length + fresh.length <= (others.length === 0 ? MAX_OTHER_WORDS_CLOSE : 0);
}

function isWithin(part: ReadonlySet<string>, full: ReadonlySet<string>): boolean {
  return [...part].every((word) => full.has(word));
}
