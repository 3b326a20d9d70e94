import { join } from "node:path";
import { keepCaptured } from "../capture/index.ts";
import { DurableQueue } from "../kernel/durable-queue.ts";
import { isCairnError, messageOf } from "../kernel/errors.ts";
import { readQueuedTranscript } from "../sources/index.ts";
import type { App } from "./assemble-app.ts";

/** Where work waits that a process could not do within the time that somebody waited for it. */
export function queueOf({ config }: App): DurableQueue {
  return new DurableQueue(join(config.dataDir, "queue"));
}

/**
 * Does what waits there: what hooks captured, and the transcripts that they name. Resolves to the number
 * of jobs done; what still has to wait stays for the next process.
 */
export function doQueuedWork(app: App): Promise<number> {
  const queue = queueOf(app);
  return queue.drain({
    perform: {
      captured: (job) =>
        keepCaptured(job, {
          memoryOf: (db) => app.store.open(db),
          note: (noted, work) => queue.update(noted, work),
        }),
      transcript: ({ payload }) => readQueuedTranscript(payload, (db) => app.store.open(db)),
    },
    waits: (error) =>
      isCairnError(error) && (error.code === "busy" || error.code === "unavailable"),
    onFailed: ({ kind, id }, error) => {
      app.logger.warn(
        `Queued work (${kind}) cannot be done and is put aside as ${id}.failed: ${messageOf(error)}`,
      );
    },
  });
}

/** For servers: beside what they are asked, and without anybody waiting for it. */
export function doQueuedWorkLater(app: App): void {
  doQueuedWork(app).catch((error: unknown) => {
    app.logger.warn(`Queued work is left for later: ${messageOf(error)}`);
  });
}
