import { constants } from "node:os";
import { messageOf } from "../../shared/errors.ts";
import type { Logger } from "../../shared/logger.ts";

export interface SignalOptions {
  /** Finishes writes and shuts down; the process exits afterwards. */
  readonly onStop: () => Promise<void>;
  readonly logger: Logger;
}

/** The documented limit is five seconds, including process exit. */
const STOP_DEADLINE_MS = 4_500;

/**
 * The first SIGINT or SIGTERM runs `onStop` and exits with 0, or 1 if it fails or times out; the
 * second exits immediately. Returns a function that uninstalls the handlers.
 */
export function installSignalHandlers({ onStop, logger }: SignalOptions): () => void {
  let isStopping = false;
  const handle = (signal: NodeJS.Signals) => {
    if (isStopping) process.exit(128 + constants.signals[signal]);
    isStopping = true;
    const deadline = setTimeout(() => {
      logger.error("Shutdown timed out; remaining work was aborted.");
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
