import { runWorker } from "./run-worker.ts";
import type { FilesJob, SearchJob } from "./search-job.ts";

const SEARCH_WORKER = new URL("./search.worker.ts", import.meta.url);
const MAX_SEARCH_MS = 30_000;

export interface FileSearch extends FilesJob {
  readonly signal: AbortSignal;
}

/**
 * Lines `path:line:text`, context as `path-line-text`, groups apart by `--`. Works in a worker:
 * reading a whole project and a costly pattern would hold up every other thread. Throws busy.
 */
export async function searchFiles({ signal, ...job }: FileSearch): Promise<readonly string[]> {
  const lines = await runWorker({
    source: SEARCH_WORKER,
    data: { kind: "files", ...job } satisfies SearchJob,
    signal,
    timeoutMs: MAX_SEARCH_MS,
    tooLong: `The search took longer than ${MAX_SEARCH_MS} ms: narrow it.`,
  });
  return lines as readonly string[];
}
