export type {
  Claim,
  ClaimKind,
  LearningPassage,
  Verdict,
} from "./claim.ts";
export { comparableText } from "./comparable-text.ts";
export { ACCEPTANCES, type Acceptance, type GateRequest, judgeClaim } from "./gate.ts";
export { learnByRules } from "./learn-by-rules.ts";
export { type ClaimMaker, type LearnOptions, learnFromPassages } from "./learn-from-passages.ts";
export { type AskedModel, type ModelTally, modelMaker } from "./model-maker.ts";
export { pathsIn } from "./paths-in.ts";
export { sentencesOf } from "./sentences.ts";
