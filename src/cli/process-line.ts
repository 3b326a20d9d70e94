import type { Once } from "../memory/index.ts";
import { hideEnvironment, processEnvironment } from "../shared/environment.ts";
import { stderrLogger } from "../shared/logger.ts";
import type { ProgramLine, QuickLine } from "./command-line.ts";

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

/** Returns the same idempotency keys that the daemon used for the request. */
export function writeKeys(question: string): () => Once {
  let written = 0;
  return () => {
    const name = `${question}.${written}`;
    written += 1;
    return { name, settled: [] };
  };
}
