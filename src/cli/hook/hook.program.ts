/**
 * Program for `cairn hook CLIENT session-start|prompt|tool`. Contains only the operations it needs,
 * since clients wait for it at each prompt. Built as one CommonJS file, see `scripts/build-cached.ts`.
 */
import { parseArgs } from "node:util";
import { processEnvironment } from "../../shared/environment.ts";
import { stderrLogger } from "../../shared/logger.ts";
import { hookContext } from "./hook-context.ts";
import { hookMoment } from "./hook-moment.ts";
import { runHook } from "./run-hook.ts";

const { positionals, values } = parseArgs({
  args: process.argv.slice(3),
  options: {
    db: { type: "string" },
    "data-dir": { type: "string" },
    database: { type: "string" },
    timeout: { type: "string" },
    patience: { type: "string" },
    debug: { type: "boolean" },
  },
  allowPositionals: true,
  strict: false,
});
export const finished: Promise<void> = runHook(
  {
    env: processEnvironment(),
    cwd: process.cwd(),
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    logger: stderrLogger(),
    furtherOperations: [],
    reader: "model",
    signal: new AbortController().signal,
  },
  {
    words: positionals,
    options: { ...values, dataDir: values["data-dir"], embeddingProvider: "none" },
  },
  (run) => (run.event === "tool" ? hookMoment(run) : hookContext(run)),
);
