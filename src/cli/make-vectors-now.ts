import type { MemoryEngine } from "../memory/index.ts";
import { isCairnError } from "../shared/errors.ts";
import type { CommandLine } from "./command-line.ts";
import { withProgress } from "./render/progress.ts";

/** Fewer vectors than this are left to the next recall, which makes them quickly. */
const WORTH_IT = 20;

/**
 * Makes the vectors of what a command has just stored, with progress. The items are stored already,
 * so a failure here is no failure of the command; `done` tells this to a user who interrupts.
 */
export async function makeVectorsNow(
  line: CommandLine,
  memory: MemoryEngine,
  done: string,
): Promise<void> {
  if ((await memory.vectors.countPending()) < WORTH_IT) return;
  try {
    await withProgress(line, (onProgress) =>
      memory.makeMissingVectors({ signal: line.signal, onProgress }),
    );
  } catch (error) {
    if (line.signal.aborted) {
      const missing = await memory.vectors.countPending();
      line.logger.info(
        `interrupted. ${done}; the next recall computes the ${missing} missing vectors.`,
      );
    } else if (isCairnError(error)) {
      line.logger.warn(error.message);
    } else {
      throw error;
    }
  }
}
