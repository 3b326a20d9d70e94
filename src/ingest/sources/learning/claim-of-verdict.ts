import type { InputOf, SourceRecord } from "../../../memory/index.ts";
import type { ClaimKind, Verdict } from "../../learning/index.ts";

export type LearnedClaim = InputOf<"keep_learned">["claims"][number];
/** Verdicts that the gate accepts. */
export type UsableVerdict = Exclude<Verdict, { verdict: "refuse" }>;

const TYPES: Readonly<Record<ClaimKind, string>> = {
  decision: "decision",
  preference: "preference",
  fact: "fact",
  outcome: "outcome",
  failed_attempt: "outcome",
};
/** cairn's own threads are known by their ids alone. */
const OWN_KIND = "cairn";

/** Turns a claim found in the passages of a source into the memory's form. */
export function claimOfVerdict(
  judged: UsableVerdict,
  { kind, key }: Pick<SourceRecord, "kind" | "key">,
): LearnedClaim {
  const { claim, verdict } = judged;
  return {
    content: claim.text,
    episode_type: TYPES[claim.kind],
    ...(claim.files.length > 0 && { entities: claim.files.map((file) => `file:${file}`) }),
    labels: [`learned=${kind}`],
    source_type: "learning",
    asserted_by: claim.said_by === "user" ? "user" : kind,
    session: (kind === OWN_KIND ? key : `${kind}:${key}`).slice(0, 200),
    ...(claim.at !== undefined && { occurred_at: claim.at }),
    quotation: claim.quotation,
    evidence: [...claim.evidence],
    ...(claim.corrects && { corrects: true }),
    ...(claim.rejects.length > 0 && { rejects: [...claim.rejects] }),
    ...(claim.onlyReplaces === true && { only_if_replaces: true }),
    verdict,
    ...(judged.verdict === "propose" && { reason: judged.reason }),
  };
}
