import type { MemoryEngine } from "../memory/index.ts";
import { isCairnError } from "../shared/errors.ts";
import type { CommandLine } from "./command-line.ts";
import { withProgress } from "./render/progress.ts";

/** The next recall quickly embeds fewer items. */
const MIN_VECTORS = 20;

/**
 * Embeds newly stored items, with progress. They are already stored, so an embedding error does not
 * fail the command; `done` says so on interruption.
 */
export async function embedStoredItems(
  line: CommandLine,
  memory: MemoryEngine,
  done: string,
): Promise<void> {
  if ((await memory.vectors.countPending()) < MIN_VECTORS) return;
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
