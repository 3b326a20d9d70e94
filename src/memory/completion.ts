/**
 * Separate entry point for shell completion: `index.ts` loads the whole engine, which is too slow.
 */
export { isDatabaseName } from "./input/database-name.ts";
export { SUGGESTIONS, suggestFromDatabase } from "./listing/suggest.ts";
