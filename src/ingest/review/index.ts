export { findMatters } from "./find-matters.ts";
export {
  asAnnotations,
  asText,
  type ChangedFile,
  changedFiles,
  isAtLeast,
  type Level,
  type Matter,
  readChange,
  toSarif,
} from "./matter.ts";
