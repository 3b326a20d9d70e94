export { findMatters } from "./find-matters.ts";
export {
  type ChangedFile,
  formatAsAnnotations,
  formatAsText,
  isAtLeast,
  type Level,
  type Matter,
  parseChangedFiles,
  readChange,
  toSarif,
} from "./matter.ts";
