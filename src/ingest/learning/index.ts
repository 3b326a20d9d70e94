export {
  type ClaimMaker,
  createModelMaker,
  type LearnOptions,
  learnByRules,
  learnFromPassages,
  type ModelTally,
  type QueriedModel,
} from "./extract-claims.ts";
export { ACCEPTANCES, type Acceptance, type GateRequest, judgeClaim } from "./judge-claim.ts";
export {
  type Claim,
  type ClaimKind,
  comparableText,
  findPaths,
  type LearningPassage,
  splitSentences,
  type Verdict,
} from "./typed-text.ts";
