import { once } from "node:events";
import { parentPort, Worker, workerData } from "node:worker_threads";
import { CairnError, type ErrorBody, isCairnError, messageOf } from "./errors.ts";
import { ownProgram } from "./own-process.ts";

interface WorkerJob {
  /** Source URL relative to the caller: `new URL("./search.worker.ts", import.meta.url)`. */
  readonly source: URL;
  /** `workerData`; must be structured-cloneable. */
  readonly data: unknown;
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs: number;
  /** Message of the error on timeout. */
  readonly tooLong: string;
  readonly maxHeapMb?: number;
}

/**
 * Runs one job in a new worker and returns the message that it posts. Throws busy on timeout, and
 * the reason of `signal`.
 */
export async function runWorker(job: WorkerJob): Promise<unknown> {
  await using worker = startWorker(job);
  return await worker.nextMessage();
}

type StreamMessage<Item> =
  | { readonly kind: "items"; readonly items: readonly Item[] }
  | { readonly kind: "refusal"; readonly error: ErrorBody }
  | { readonly kind: "failure"; readonly reason: string }
  | { readonly kind: "end" };

/**
 * Yields the items of a worker that calls `streamToParent`, which is at most one batch ahead of
 * the consumer. Throws the worker's errors, busy on timeout, and the reason of `signal`.
 */
export async function* streamFromWorker<Item>(job: WorkerJob): AsyncGenerator<Item> {
  await using worker = startWorker(job);
  for (;;) {
    const message = (await worker.nextMessage()) as StreamMessage<Item>;
    if (message.kind === "end") return;
    if (message.kind === "failure") throw new Error(message.reason);
    if (message.kind === "refusal") {
      const { code, message: text, details } = message.error;
      throw new CairnError(code, text, details);
    }
    worker.requestMore();
    yield* message.items;
  }
}

/** Worker side of `streamFromWorker`. */
export async function streamToParent<Data, Item>(
  items: (data: Data) => AsyncIterable<Item>,
  batchSize: number,
): Promise<void> {
  const port = parentPort;
  if (port === null) throw new Error("streamToParent runs in a worker only");
  const send = (message: StreamMessage<Item>) => port.postMessage(message);
  try {
    let batch: Item[] = [];
    for await (const item of items(workerData as Data)) {
      batch.push(item);
      if (batch.length < batchSize) continue;
      const isConsumed = once(port, "message");
      send({ kind: "items", items: batch });
      batch = [];
      await isConsumed;
    }
    send({ kind: "items", items: batch });
    send({ kind: "end" });
  } catch (error) {
    if (isCairnError(error)) send({ kind: "refusal", error: error.toBody() });
    else send({ kind: "failure", reason: messageOf(error) });
  }
}

interface RunningWorker extends AsyncDisposable {
  nextMessage(): Promise<unknown>;
  requestMore(): void;
}

function startWorker(job: WorkerJob): RunningWorker {
  job.signal?.throwIfAborted();
  const { file, argv } = ownProgram(job.source);
  const { maxHeapMb } = job;
  const worker = new Worker(file, {
    argv: [...argv],
    workerData: job.data,
    ...(maxHeapMb !== undefined && { resourceLimits: { maxOldGenerationSizeMb: maxHeapMb } }),
  });
  const onAbort = () => void worker.terminate();
  job.signal?.addEventListener("abort", onAbort, { once: true });
  const messages: unknown[] = [];
  let ended: { readonly error: unknown } | undefined;
  let wake = () => {};
  const end = (error: unknown) => {
    ended ??= { error };
    wake();
  };
  worker.on("message", (message) => {
    messages.push(message);
    wake();
  });
  worker.on("error", end);
  worker.on("exit", () =>
    end(job.signal?.reason ?? new Error("The worker exited before it returned a result.")),
  );
  return {
    async nextMessage() {
      const isDue = () => messages.length > 0 || ended !== undefined;
      if (!isDue()) {
        let timer: NodeJS.Timeout | undefined;
        await new Promise<void>((resolve) => {
          wake = resolve;
          timer = setTimeout(() => end(new CairnError("busy", job.tooLong)), job.timeoutMs);
        }).finally(() => clearTimeout(timer));
      }
      if (messages.length > 0) return messages.shift();
      throw ended?.error;
    },
    requestMore: () => worker.postMessage("more"),
    async [Symbol.asyncDispose]() {
      job.signal?.removeEventListener("abort", onAbort);
      await worker.terminate();
    },
  };
}
