import { hideEnvironment, processEnvironment } from "../shared/environment.ts";
import { stderrLogger } from "../shared/logger.ts";
import { writesOf } from "./once-asked.ts";
import { quickCommand } from "./quick-commands.ts";

const args = process.argv.slice(2);
// The long-lived process was asked and did not say whether it did the work; see
// `src/app/daemon/client.ts`.
const { CAIRN_QUESTION: question, ...env } = processEnvironment();
delete process.env.CAIRN_QUESTION;
const line = {
  env,
  cwd: process.cwd(),
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  logger: stderrLogger(),
  furtherOperations: [],
  hideEnvironment,
  ...(question !== undefined && { once: writesOf(question) }),
};
const quick = await quickCommand(args);
if (quick === undefined) {
  const { runCommandLine } = await import("./run-command-line.ts");
  process.exitCode = await runCommandLine(args, line);
} else {
  process.exitCode = await quick(line, args.slice(1));
}
