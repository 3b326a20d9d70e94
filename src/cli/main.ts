import { processEnvironment } from "../kernel/environment.ts";
import { hideEnvironment } from "../kernel/hide-environment.ts";
import { stderrLogger } from "../kernel/logger.ts";
import { runCommandLine } from "./run-command-line.ts";

process.exitCode = await runCommandLine(process.argv.slice(2), {
  env: processEnvironment(),
  cwd: process.cwd(),
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  logger: stderrLogger(),
  furtherOperations: [],
  hideEnvironment,
});
