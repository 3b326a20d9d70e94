export {
  type AskedModel,
  type ClaimMaker,
  type LearnOptions,
  learnByRules,
  learnFromPassages,
  type ModelTally,
  modelMaker,
} from "./extract-claims.ts";
export { ACCEPTANCES, type Acceptance, type GateRequest, judgeClaim } from "./gate.ts";
export {
  type Claim,
  type ClaimKind,
  comparableText,
  getSentences,
  type LearningPassage,
  pathsIn,
  type Verdict,
} from "./typed-text.ts";
