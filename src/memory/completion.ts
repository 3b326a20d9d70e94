/** Separate entry point for shell completion, since `index.ts` loads the whole engine. */
export { isDatabaseName } from "./input/database-name.ts";
export { SUGGESTIONS, suggestFromDatabase } from "./listing/suggest.ts";
