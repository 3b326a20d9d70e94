export { findFindings } from "./find-findings.ts";
export {
  type ChangedFile,
  formatAsAnnotations,
  formatAsText,
  isAtLeast,
  type Level,
  parseChangedFiles,
  type ReviewFinding,
  readChange,
  toSarif,
} from "./finding.ts";
