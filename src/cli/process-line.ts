import { hideEnvironment, processEnvironment } from "../shared/environment.ts";
import { stderrLogger } from "../shared/logger.ts";
import type { ProgramLine, QuickLine } from "./command-line.ts";
import { writeKeys } from "./write-keys.ts";

/** The command line of this process. Removes `CAIRN_QUESTION` from its environment. */
export function processLine(): QuickLine & Pick<ProgramLine, "furtherOperations"> {
  // Set if the daemon did not confirm whether it ran the command; see `src/app/daemon/client.ts`.
  const { CAIRN_QUESTION: question, ...env } = processEnvironment();
  delete process.env.CAIRN_QUESTION;
  return {
    env,
    cwd: process.cwd(),
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    logger: stderrLogger(),
    furtherOperations: [],
    hideEnvironment,
    ...(question !== undefined && { once: writeKeys(question) }),
  };
}
