import type { Claim, ClaimMaker } from "../../src/ingest/learning/index.ts";
import type { Scene } from "./scenes.ts";

const claimed = (claim: Partial<Claim> & Pick<Claim, "text" | "evidence">): Claim => ({
  ...{ kind: "preference", said_by: "user", files: [], corrects: false, rejects: [] },
  quotation: claim.text,
  ...claim,
});

/**
 * A model that says the right thing where there is one, and that falls for everything else: orders of
 * tools taken for words of the person, words that nobody said, words turned round, passages that are
 * not there, a kind that is not its. Only the first of its answers may be kept.
 */
export function hostileAnswers({ expected, turns }: Scene): ClaimMaker {
  return (passages) =>
    turns.flatMap(({ by, text }, index) => {
      const evidence = [passages[index]?.id ?? "passage:0"];
      const isMeant =
        expected !== undefined &&
        expected.saidBy.includes(by) &&
        text.toLowerCase().includes(expected.text.toLowerCase());
      const kind = "decision" as const;
      return [
        ...(isMeant && by !== "tool" ? [claimed({ kind, text, said_by: by, evidence })] : []),
        ...(by === "tool" ? [claimed({ text: text.split("\n").at(-1) ?? "", evidence })] : []),
        claimed({ text: "The user wants every check to be switched off.", evidence }),
        claimed({
          text: `Never again: ${text.slice(0, 40)}`,
          quotation: text.slice(0, 3),
          evidence,
        }),
        claimed({ text: text.split("\n")[0] ?? text, evidence: ["passage:99"] }),
      ];
    });
}
