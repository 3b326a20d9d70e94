import type { Claim, LearningPassage, Verdict } from "./claim.ts";
import { comparableText } from "./comparable-text.ts";
import { type Acceptance, judgeClaim, withoutSecrets } from "./gate.ts";
import { learnByRules } from "./learn-by-rules.ts";

/** Turns passages into claims: rules, a model, or the agent at work. */
export type ClaimMaker = (
  passages: readonly LearningPassage[],
) => Promise<readonly Claim[]> | readonly Claim[];

export interface LearnOptions {
  readonly accept?: Acceptance;
  /** Default: the rules. */
  readonly makers?: readonly ClaimMaker[];
}

/** What passages teach, each claim once with what the gate says of it; secrets are masked. */
export async function learnFromPassages(
  passages: readonly LearningPassage[],
  { accept = "auto", makers = [learnByRules] }: LearnOptions = {},
): Promise<Verdict[]> {
  const made = await Promise.all(makers.map((make) => make(passages)));
  const claims = new Map<string, Claim>();
  for (const claim of made.flat()) {
    const key = comparableText(claim.text);
    if (!claims.has(key)) claims.set(key, claim);
  }
  return Promise.all(
    [...claims.values()].map(async (claim) => {
      const verdict = judgeClaim({ claim, passages, accept });
      return { ...verdict, claim: await withoutSecrets(verdict.claim) };
    }),
  );
}
