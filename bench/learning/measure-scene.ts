import { type Claim, type ClaimMaker, learnFromPassages } from "../../src/ingest/learning/index.ts";
import type { Expected, Scene, SceneTurn } from "./scenes.ts";

/** What became of a scene. */
export interface Measured {
  readonly scene: Scene;
  /** What is kept, by itself, of what should be. */
  readonly found: readonly Claim[];
  /** What is kept and should not be. */
  readonly wrong: readonly Claim[];
  /** It should be kept and is not. */
  readonly isMissed: boolean;
  /** It waits for a person who could keep it. */
  readonly isProposed: boolean;
}

/** Looks at a scene as a session, with these makers; without any, by rules. */
export async function measureScene(
  scene: Scene,
  makers?: readonly ClaimMaker[],
): Promise<Measured> {
  const { id, turns, expected } = scene;
  const passages = turns.map(({ by, text }, index) => ({ id: `passage:${index + 1}`, by, text }));
  const verdicts = await learnFromPassages(passages, makers === undefined ? {} : { makers });
  const of = (wanted: string) =>
    verdicts.flatMap(({ verdict, claim }) => (verdict === wanted ? [claim] : []));
  const accepted = of("accept");
  const isMeant = (claim: Claim) => expected !== undefined && isKept(claim, expected, turns);
  const found = accepted.filter(isMeant);
  return {
    scene: { ...scene, id },
    found,
    wrong: accepted.filter((claim) => !isMeant(claim)),
    isMissed: expected !== undefined && found.length === 0,
    isProposed: found.length === 0 && of("propose").some(isMeant),
  };
}

const plain = (text: string) => text.toLowerCase().replaceAll(/[`"'“”„«»]/g, "");

/** Whether the claim says what was meant, said by whom it was meant of. */
function isKept(
  { text, quotation, said_by: by }: Claim,
  expected: Expected,
  turns: readonly SceneTurn[],
): boolean {
  const wanted = plain(expected.text);
  const saysIt = plain(text).includes(wanted) || plain(quotation).includes(wanted);
  const isByWhom = expected.saidBy.includes(by);
  return (
    saysIt && isByWhom && turns.some((turn) => turn.by === by && plain(turn.text).includes(wanted))
  );
}

/** Of a claim that says what was meant, whether it is of a kind that was meant. */
export function isOfKind({ kind }: Claim, { kinds }: Expected): boolean {
  const name = kind === "failed_attempt" ? "outcome" : kind;
  return kinds.includes(name) || (name === "preference" && kinds.includes("instruction"));
}
