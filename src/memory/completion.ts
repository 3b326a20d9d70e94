/**
 * A door of its own for what completes a line in a shell: whoever comes in by `index.ts` loads the
 * whole engine, and that takes longer than a shell should wait.
 */
export { isDatabaseName } from "./input/database-name.ts";
export { SUGGESTIONS, suggestFromDatabase } from "./listing/suggest.ts";
