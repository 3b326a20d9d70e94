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
  type LearningPassage,
  pathsIn,
  splitSentences as getSentences,
  type Verdict,
} from "./typed-text.ts";
