import { constants } from "node:os";
import { messageOf } from "../../shared/errors.ts";
import type { Logger } from "../../shared/logger.ts";

export interface SignalOptions {
  /** Finishes what is being written and ends everything; the process exits afterwards. */
  readonly onStop: () => Promise<void>;
  readonly logger: Logger;
}

/** Promised to users: five seconds. The rest is for the exit itself. */
const STOP_DEADLINE_MS = 4_500;

/**
 * The first SIGINT or SIGTERM runs `onStop` and exits with 0, with 1 when that fails or takes too
 * long; a second one exits at once. Returns the uninstall.
 */
export function installSignalHandlers({ onStop, logger }: SignalOptions): () => void {
  let isStopping = false;
  const handle = (signal: NodeJS.Signals) => {
    if (isStopping) process.exit(128 + constants.signals[signal]);
    isStopping = true;
    const deadline = setTimeout(() => {
      logger.error("Stopping took too long; what was left is cut off.");
      process.exit(1);
    }, STOP_DEADLINE_MS);
    deadline.unref();
    onStop().then(
      () => process.exit(0),
      (error: unknown) => {
        logger.error(`Stopping failed: ${messageOf(error)}`);
        process.exit(1);
      },
    );
  };
  process.on("SIGINT", handle);
  process.on("SIGTERM", handle);
  return () => {
    process.off("SIGINT", handle);
    process.off("SIGTERM", handle);
  };
}
