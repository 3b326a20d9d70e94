export { findMatters } from "./find-matters.ts";
export {
  type ChangedFile,
  changedFiles,
  isAtLeast,
  type Level,
  type Matter,
  readChange,
} from "./matter.ts";
export { asAnnotations, asSarif, asText, saidOf } from "./write-matters.ts";
