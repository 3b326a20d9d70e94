import { Worker } from "node:worker_threads";
import { CairnError } from "../../shared/errors.ts";
import { ownProgram } from "../../shared/own-process.ts";

export interface WorkerJob {
  /** The worker's source, beside the caller: `new URL("./search.worker.ts", import.meta.url)`. */
  readonly source: URL;
  /** What the worker reads as `workerData`; it must survive a structured clone. */
  readonly data: unknown;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  /** Message of the error when the time is up. */
  readonly tooLong: string;
  /** Megabytes of its heap, where its input is not ours; Node.js has a limit of its own. */
  readonly maxHeapMb?: number;
}

/**
 * Runs one job in a thread of its own, which is ended with the job, and answers with the message
 * that the worker posts. Throws busy when the time is up, and the reason of `signal`.
 */
export async function runWorker(job: WorkerJob): Promise<unknown> {
  job.signal.throwIfAborted();
  const { file, argv } = ownProgram(job.source);
  const { maxHeapMb } = job;
  const worker = new Worker(file, {
    argv: [...argv],
    workerData: job.data,
    ...(maxHeapMb !== undefined && { resourceLimits: { maxOldGenerationSizeMb: maxHeapMb } }),
  });
  let timer: NodeJS.Timeout | undefined;
  const onAbort = () => void worker.terminate();
  job.signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await new Promise((resolve, reject) => {
      timer = setTimeout(() => reject(new CairnError("busy", job.tooLong)), job.timeoutMs);
      worker.once("message", resolve);
      worker.once("error", reject);
      worker.once("exit", () => reject(job.signal.reason ?? new Error("The worker ended early.")));
    });
  } finally {
    clearTimeout(timer);
    job.signal.removeEventListener("abort", onAbort);
    await worker.terminate();
  }
}
