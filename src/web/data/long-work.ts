import type { Client } from "./client.ts";
import { RequestFailed } from "./request-failed.ts";
import { readServerEvents } from "./server-events.ts";

export interface WorkProgress {
  readonly stage: string;
  readonly done: number;
  readonly total: number;
}

export interface LongWork {
  readonly path: string;
  readonly body: unknown;
  readonly signal?: AbortSignal;
  onProgress(progress: WorkProgress): void;
}

/** Runs a long operation and reports its progress. Throws RequestFailed. */
export async function doLongWork<Result>(client: Client, work: LongWork): Promise<Result> {
  const response = await client.send(work.path, {
    method: "POST",
    body: work.body,
    headers: { accept: "text/event-stream" },
    signal: work.signal,
  });
  if (response.body === null) throw brokenOff();
  for await (const { event, data } of readServerEvents(response.body)) {
    const body = JSON.parse(data);
    if (event === "progress") work.onProgress(body);
    if (event === "error") throw new RequestFailed(body.error, 0);
    if (event === "result") return body;
  }
  throw brokenOff();
}

function brokenOff(): RequestFailed {
  return new RequestFailed(
    { code: "offline", message: "The server closed the connection before it finished." },
    0,
  );
}
