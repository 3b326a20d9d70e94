export {
  type Claim,
  type ClaimKind,
  comparableText,
  type LearningPassage,
  pathsIn,
  type Verdict,
} from "./claim.ts";
export { ACCEPTANCES, type Acceptance, type GateRequest, judgeClaim } from "./gate.ts";
export { type ClaimMaker, type LearnOptions, learnFromPassages } from "./learn-from-passages.ts";
export { type AskedModel, type ModelTally, modelMaker } from "./model-maker.ts";
export { learnByRules, mayHaveSettled } from "./rules.ts";
export { sentencesOf } from "./typed-text.ts";
