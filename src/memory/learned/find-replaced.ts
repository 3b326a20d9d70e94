import { isPlainObject } from "../../shared/json.ts";
import type { WriteContext } from "../context/write-context.ts";
import { CLAIMING_TYPES } from "../episodes/episode-types.ts";
import { matchesPart } from "../language/index.ts";
import type { Claim } from "../proposals/claim.ts";
import { wordingHash } from "../proposals/claim.ts";
import { amends } from "../recall/passages/amending.ts";
import { amended } from "./amended.ts";
import { type Compared, compareClaims } from "./compare-claims.ts";
import { heldClaims } from "./held-claims.ts";
import type { Held } from "./held-episodes.ts";
import { type Wording, Wordings } from "./wording.ts";

/** What a claim means for what holds. */
export interface Effect {
  /** What holds already says the same. */
  readonly same: Held | undefined;
  readonly replaces: readonly Held[];
  readonly disputes: readonly Held[];
  /** What was said since and put something else in its place: the claim holds no more. */
  readonly overruledBy: Held | undefined;
  /** What the claim says of the thing that it replaces, where it names that by its place alone. */
  readonly amended: { readonly content: string; readonly type: string } | undefined;
}

const NO_EFFECT: Effect = {
  ...{ same: undefined, replaces: [], disputes: [] },
  ...{ overruledBy: undefined, amended: undefined },
};
const MOST_DISPUTED = 3;
/** A second one that is nearly as close may as well be meant. */
const NEARLY_AS_CLOSE = 0.7;

interface Judged extends Compared {
  readonly held: Held;
}

/** Holds a claim against what was shown and what holds about its subject. */
export async function findReplaced(
  context: WriteContext,
  claim: Claim,
  shown: readonly number[],
): Promise<Effect> {
  const type = claim.episode_type;
  if (!CLAIMING_TYPES.includes(type)) return NO_EFFECT;
  const wordings = new Wordings();
  const wording = wordings.of(claim.content, claim.rejects);
  const candidates = await heldClaims(context.tx, { text: claim.content, shown, wordings });
  const at = claim.occurred_at ?? context.now;
  const hash = wordingHash(claim.content);
  const judged: Judged[] = candidates
    // What was said before something else cannot have replaced it.
    .filter((held) => held.at <= at || wordingHash(held.content) === hash)
    .map((held) => ({
      held,
      ...compareClaims(
        { wording, ...signsOf(claim), type },
        {
          wording: wordings.of(held.content, rejectsOf(held)),
          type: held.type,
          wasShown: shown.includes(held.number),
        },
      ),
    }));
  const same = candidates.find((held) => wordingHash(held.content) === hash);
  const later = candidates.filter((held) => held.at > at && held !== same);
  const overruledBy = closestThatReplaces(later, { wording, type, wordings });
  return { ...effectOf(judged, { claim, wording, same }), overruledBy };
}

/** Which of the statements, said after it, replaces what has this wording. */
function closestThatReplaces(
  later: readonly Held[],
  {
    wording,
    type,
    wordings,
  }: { readonly wording: Wording; readonly type: string; readonly wordings: Wordings },
): Held | undefined {
  const [closest] = later
    .map((held) => ({
      held,
      ...compareClaims(
        {
          wording: wordings.of(held.content, rejectsOf(held)),
          ...signsOf({ content: held.content, corrects: learnedOf(held)?.corrects }),
          type: held.type,
        },
        { wording, type, wasShown: false },
      ),
    }))
    .filter(({ relation, isBare }) => relation === "replaces" && !isBare)
    .sort((a, b) => b.closeness - a.closeness || b.held.number - a.held.number);
  return closest?.held;
}

function effectOf(
  judged: readonly Judged[],
  { claim, wording, same }: { claim: Claim; wording: Wording; same: Held | undefined },
): Omit<Effect, "overruledBy"> {
  const closest = (relation: Compared["relation"]) =>
    judged
      .filter((one) => one.relation === relation)
      .sort((a, b) => b.closeness - a.closeness || b.held.number - a.held.number);
  const meant = closest("replaces");
  const [first, second] = meant;
  const disputes = closest("disputes");
  const held = (list: readonly Judged[]) => list.map((one) => one.held);
  const isClear =
    first !== undefined &&
    (wording.rejected.size > 0 && !first.isBare
      ? true
      : second === undefined || second.closeness < first.closeness * NEARLY_AS_CLOSE);
  const replaces = isClear && first?.isBare === true ? [first] : isClear ? meant : [];
  const unsure = isClear ? [] : meant;
  const content =
    first?.isBare === true && isClear
      ? amended(first.held.content, claim.content, wording)
      : undefined;
  return {
    same: same ?? closest("same")[0]?.held,
    replaces: held(replaces),
    // What replaces something for sure disputes nothing else.
    disputes: held(replaces.length > 0 ? [] : [...unsure, ...disputes].slice(0, MOST_DISPUTED)),
    amended:
      content === undefined || first === undefined ? undefined : { content, type: first.held.type },
  };
}

function signsOf({ content, corrects }: { readonly content: string; readonly corrects?: unknown }) {
  const ends = matchesPart("ending", content);
  return {
    corrects: corrects === true,
    retracts: ends || matchesPart("retraction", content),
    ends,
    amends: corrects === true && amends(content),
  };
}

/** What was found when it was learned. */
function rejectsOf(held: Held): readonly string[] {
  const rejects = learnedOf(held)?.rejects;
  return Array.isArray(rejects) ? rejects.filter((one) => typeof one === "string") : [];
}

function learnedOf({ metadata }: Held): Readonly<Record<string, unknown>> | undefined {
  return isPlainObject(metadata?.learned) ? metadata.learned : undefined;
}
