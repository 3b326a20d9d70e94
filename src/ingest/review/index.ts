export { findMatters } from "./find-matters.ts";
export {
  asAnnotations,
  asSarif,
  asText,
  type ChangedFile,
  changedFiles,
  isAtLeast,
  type Level,
  type Matter,
  readChange,
  saidOf,
} from "./matter.ts";
