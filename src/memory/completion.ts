/** Separate entry point for shell completion, since `index.ts` loads the whole engine. */
export { isDatabaseName } from "./input/database-name.ts";
export { SUGGESTIONS, suggestDatabaseValues } from "./listing/suggest.ts";
