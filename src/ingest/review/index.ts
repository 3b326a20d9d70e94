export { type ChangedFile, changedFiles } from "./changed-file.ts";
export { findMatters } from "./find-matters.ts";
export { isAtLeast, type Level, type Matter } from "./matter.ts";
export { readChange } from "./read-change.ts";
export { asAnnotations, asText, saidOf } from "./write-matters.ts";
export { asSarif } from "./write-sarif.ts";
