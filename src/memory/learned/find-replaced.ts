import { isPlainObject } from "../../shared/json.ts";
import type { WriteContext } from "../context/write-context.ts";
import { CLAIMING_TYPES } from "../episodes/episode-types.ts";
import { matchesPart } from "../language/index.ts";
import { isNumber, type Wording, Wordings } from "../language/wordings.ts";
import type { Claim } from "../proposals/proposal.queries.ts";
import { wordingHash } from "../proposals/proposal.queries.ts";
import { isAmending } from "../recall/passages/is-amending.ts";
import { loadActiveClaims } from "./active-claims.ts";
import type { ActiveClaim } from "./active-episodes.ts";
import { type Compared, compareClaims } from "./compare-claims.ts";

export interface ClaimEffect {
  readonly same: ActiveClaim | undefined;
  readonly replaces: readonly ActiveClaim[];
  readonly disputes: readonly ActiveClaim[];
  readonly overruledBy: ActiveClaim | undefined;
  readonly amended: { readonly content: string; readonly type: string } | undefined;
}

const NO_EFFECT: ClaimEffect = {
  ...{ same: undefined, replaces: [], disputes: [] },
  ...{ overruledBy: undefined, amended: undefined },
};
const MAX_DISPUTED = 3;
/** Ratio above which a second candidate makes the match ambiguous. */
const MIN_CLOSENESS_RATIO = 0.7;

interface ComparedClaim extends Compared {
  readonly active: ActiveClaim;
}

export async function findReplaced(
  context: WriteContext,
  claim: Claim,
  shownNumbers: readonly number[],
): Promise<ClaimEffect> {
  const type = claim.episode_type;
  if (!CLAIMING_TYPES.includes(type)) return NO_EFFECT;
  const wordings = new Wordings();
  const wording = wordings.of(claim.content, claim.rejects);
  const candidates = await loadActiveClaims(context.tx, {
    text: claim.content,
    shown: shownNumbers,
    wordings,
  });
  const at = claim.occurred_at ?? context.now;
  const hash = wordingHash(claim.content);
  const judged: ComparedClaim[] = candidates
    .filter((stored) => stored.at <= at || wordingHash(stored.content) === hash)
    .map((active) => ({
      active,
      ...compareClaims(
        { wording, ...readSigns(claim), type },
        {
          wording: wordings.of(active.content, readRejects(active)),
          type: active.type,
          wasShown: shownNumbers.includes(active.number),
        },
      ),
    }));
  const same = candidates.find((stored) => wordingHash(stored.content) === hash);
  const later = candidates.filter((stored) => stored.at > at && stored !== same);
  const overruledBy = findClosestReplaced(later, { wording, type, wordings });
  return { ...decideEffect(judged, { claim, wording, same }), overruledBy };
}

function findClosestReplaced(
  later: readonly ActiveClaim[],
  {
    wording,
    type,
    wordings,
  }: { readonly wording: Wording; readonly type: string; readonly wordings: Wordings },
): ActiveClaim | undefined {
  const [closest] = later
    .map((active) => ({
      active,
      ...compareClaims(
        {
          wording: wordings.of(active.content, readRejects(active)),
          ...readSigns({ content: active.content, corrects: readLearned(active)?.corrects }),
          type: active.type,
        },
        { wording, type, wasShown: false },
      ),
    }))
    .filter(({ relation, isBare }) => relation === "replaces" && !isBare)
    .sort((a, b) => b.similarity - a.similarity || b.active.number - a.active.number);
  return closest?.active;
}

function decideEffect(
  judged: readonly ComparedClaim[],
  { claim, wording, same }: { claim: Claim; wording: Wording; same: ActiveClaim | undefined },
): Omit<ClaimEffect, "overruledBy"> {
  const sortBySimilarity = (relation: Compared["relation"]) =>
    judged
      .filter((one) => one.relation === relation)
      .sort((a, b) => b.similarity - a.similarity || b.active.number - a.active.number);
  const intended = sortBySimilarity("replaces");
  const [first, second] = intended;
  const disputes = sortBySimilarity("disputes");
  const toActive = (list: readonly ComparedClaim[]) => list.map((one) => one.active);
  const isClear =
    first !== undefined &&
    (wording.rejected.size > 0 && !first.isBare
      ? true
      : second === undefined || second.similarity < first.similarity * MIN_CLOSENESS_RATIO);
  const replaces = isClear && first?.isBare === true ? [first] : isClear ? intended : [];
  const unsure = isClear ? [] : intended;
  const content =
    first?.isBare === true && isClear
      ? findAmended(first.active.content, claim.content, wording)
      : undefined;
  return {
    same: same ?? sortBySimilarity("same")[0]?.active,
    replaces: toActive(replaces),
    disputes: toActive(replaces.length > 0 ? [] : [...unsure, ...disputes].slice(0, MAX_DISPUTED)),
    amended:
      content === undefined || first === undefined
        ? undefined
        : { content, type: first.active.type },
  };
}

function readSigns({
  content,
  corrects,
}: {
  readonly content: string;
  readonly corrects?: unknown;
}) {
  const endsValidity = matchesPart("ending", content);
  return {
    corrects: corrects === true,
    retracts: endsValidity || matchesPart("retraction", content),
    endsValidity,
    amends: corrects === true && isAmending(content),
  };
}

function readRejects(stored: ActiveClaim): readonly string[] {
  const rejects = readLearned(stored)?.rejects;
  return Array.isArray(rejects) ? rejects.filter((one) => typeof one === "string") : [];
}

function readLearned({ metadata }: ActiveClaim): Readonly<Record<string, unknown>> | undefined {
  return isPlainObject(metadata?.learned) ? metadata.learned : undefined;
}

/** Applies "30 seconds, not 10" to the old statement. Returns undefined if ambiguous. */
function findAmended(statement: string, text: string, wording: Wording): string | undefined {
  const rejected = [...wording.rejected];
  const numbers = [...wording.affirmed].filter(isNumber);
  const [holds] = numbers.length === 1 ? numbers : [...wording.affirmed];
  const [former, second] = rejected;
  if (holds === undefined || former === undefined || second !== undefined) return undefined;
  const [was, is] = [toWrittenForm(statement, former), toWrittenForm(text, holds)];
  if (was === undefined || is === undefined) return undefined;
  const parts = statement.split(was.pattern);
  return parts.length === 2 ? parts.join(is.word) : undefined;
}

function toWrittenForm(text: string, word: string): { word: string; pattern: RegExp } | undefined {
  const escaped = word.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const source = `(?<![\\p{L}\\p{N}])${escaped}${isNumber(word) ? "" : "[\\p{L}]{0,3}"}(?![\\p{L}\\p{N}])`;
  const found = new RegExp(source, "iu").exec(text)?.[0];
  return found === undefined ? undefined : { word: found, pattern: new RegExp(source, "giu") };
}
