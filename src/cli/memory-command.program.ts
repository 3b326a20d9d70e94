import { processLine } from "./process-line.ts";

/**
 * Runs `remember` and `recall` as one CommonJS file, so that their machine code can be cached; see `bin/cairn.js`.
 * Imports of other commands are left out of it, see `scripts/build-cached.ts`.
 */
async function runMemoryCommand(): Promise<void> {
  const line = processLine();
  const { config } = await import("zod");
  // Affects schemas created afterwards.
  config({ jitless: true });
  const { runCommandLine } = await import("./run-command-line.ts");
  process.exitCode = await runCommandLine(process.argv.slice(2), line);
}

export const finished: Promise<void> = runMemoryCommand();
