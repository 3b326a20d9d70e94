import { processEnvironment } from "../kernel/environment.ts";
import { hideEnvironment } from "../kernel/hide-environment.ts";
import { stderrLogger } from "../kernel/logger.ts";
import { quickCommand } from "./quick-commands.ts";

const args = process.argv.slice(2);
const line = {
  env: processEnvironment(),
  cwd: process.cwd(),
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  logger: stderrLogger(),
  furtherOperations: [],
  hideEnvironment,
};
const quick = await quickCommand(args);
if (quick === undefined) {
  const { runCommandLine } = await import("./run-command-line.ts");
  process.exitCode = await runCommandLine(args, line);
} else {
  process.exitCode = await quick(line, args.slice(1));
}
