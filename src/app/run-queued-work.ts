import { join } from "node:path";
import { countShown, processTurn, storeCaptured } from "../ingest/capture/index.ts";
import {
  type QueuedProject,
  readQueuedProject,
  readQueuedTranscript,
} from "../ingest/sources/index.ts";
import { DurableQueue } from "../shared/durable-queue.ts";
import { isCairnError, messageOf } from "../shared/errors.ts";
import type { App } from "./assemble-app.ts";
import { learnQueued, type QueuedLearning } from "./learn-queued.ts";

export function openQueue({ config }: App): DurableQueue {
  return new DurableQueue(join(config.dataDir, "queue"));
}

/**
 * Queues reading of git history and decision files at session start. Skips untrusted projects and
 * empty memories. Warns if it fails, such as on a full disk: the session itself needs no queue.
 */
export async function queueProject(app: App): Promise<void> {
  try {
    await addProject(app);
  } catch (error) {
    app.logger.warn(`Reading of the project is postponed: ${messageOf(error)}`);
  }
}

async function addProject(app: App): Promise<void> {
  const { trust, settings, paths } = app.config;
  if (trust !== "none" && trust !== "trusted") return;
  const memory = app.store.open();
  if (app.store.isReadOnly || !(await memory.isThere())) return;
  const { off, keep } = settings.sources;
  const work: QueuedProject = { folder: paths.projectRoot, db: memory.name, off, keep };
  openQueue(app).addOnce("project", work);
  const learning: QueuedLearning = { db: memory.name };
  if (settings.learn.with !== "rules") openQueue(app).addOnce("learn", learning);
}

/**
 * Processes the queue: captured turns and transcripts named by hooks. Returns the number of jobs
 * done; the rest stays queued.
 */
export async function runQueuedWork(app: App, process: WorkingProcess = {}): Promise<number> {
  const queue = openQueue(app);
  const done = await drain(app, queue, process);
  return done === 0 ? 0 : done + (await runQueuedWork(app, process));
}

interface WorkingProcess {
  /** Models are only called if no client waits for the process. */
  readonly isLongLived?: boolean;
}

function drain(
  app: App,
  queue: DurableQueue,
  { isLongLived = false }: WorkingProcess,
): Promise<number> {
  return queue.drain({
    perform: {
      turn: ({ payload }) => processTurn(payload, queue),
      captured: (job) => storeCaptured(job, (db) => app.store.open(db)),
      project: ({ payload }) => readQueuedProject(payload, (db) => app.store.open(db)),
      mistake: ({ payload }) => countShown(payload, (db) => app.store.open(db)),
      ...(isLongLived && { learn: ({ payload }) => learnQueued(app, payload) }),
      transcript: ({ payload }) => readQueuedTranscript(payload, (db) => app.store.open(db)),
    },
    waits: (error) =>
      isCairnError(error) && (error.code === "busy" || error.code === "unavailable"),
    onFailed: ({ kind, id }, error) => {
      app.logger.warn(
        `Queued work (${kind}) failed and was moved to ${id}.failed: ${messageOf(error)}`,
      );
    },
  });
}

export async function scheduleQueuedWork(app: App): Promise<void> {
  await runQueuedWork(app, { isLongLived: true }).catch((error: unknown) => {
    app.logger.warn(`Queued work is postponed: ${messageOf(error)}`);
  });
}
