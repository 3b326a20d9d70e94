import { type Claim, comparableText, type LearningPassage, type Verdict } from "./claim.ts";
import { type Acceptance, judgeClaim, withoutSecrets } from "./gate.ts";
import { learnByRules } from "./rules.ts";

/** Turns passages into claims: rules, a model, or the agent at work. */
export type ClaimMaker = (
  passages: readonly LearningPassage[],
) => Promise<readonly Claim[]> | readonly Claim[];

export interface LearnOptions {
  readonly accept?: Acceptance;
  /** Default: the rules. */
  readonly makers?: readonly ClaimMaker[];
}

export async function learnFromPassages(
  passages: readonly LearningPassage[],
  { accept = "auto", makers }: LearnOptions = {},
): Promise<Verdict[]> {
  const asked: readonly ClaimMaker[] = makers ?? [learnByRules];
  const made = await Promise.all(asked.map((make) => make(passages)));
  const judge = (claim: Claim) => judgeClaim({ claim, passages, accept });
  const judged = made.flat().map(judge);
  const usable = inOne(judged.filter(({ verdict }) => verdict !== "refuse"));
  const refused = inOne(judged.filter(({ verdict }) => verdict === "refuse"));
  const verdicts = [
    ...[...usable.values()].map(judge),
    ...[...refused].flatMap(([text, claim]) => (usable.has(text) ? [] : [judge(claim)])),
  ];
  return Promise.all(verdicts.map(withoutSecrets));
}

function inOne(verdicts: readonly Verdict[]): ReadonlyMap<string, Claim> {
  const claims = new Map<string, Claim>();
  for (const { claim } of verdicts) {
    const text = comparableText(claim.text);
    const known = claims.get(text) ?? claim;
    claims.set(text, { ...known, evidence: [...new Set([...known.evidence, ...claim.evidence])] });
  }
  return claims;
}
