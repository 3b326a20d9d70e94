import type { Client } from "./client.ts";
import { RequestFailed } from "./request-failed.ts";

export interface WorkProgress {
  readonly stage: string;
  readonly done: number;
  readonly total: number;
}

export interface LongTask {
  readonly path: string;
  readonly body: unknown;
  readonly signal?: AbortSignal;
  onProgress(progress: WorkProgress): void;
}

/** Runs a long operation and reports its progress. Throws RequestFailed. */
export async function runLongTask<Result>(client: Client, work: LongTask): Promise<Result> {
  const response = await client.send(work.path, {
    method: "POST",
    body: work.body,
    headers: { accept: "text/event-stream" },
    signal: work.signal,
  });
  if (response.body === null) throw connectionClosed();
  for await (const { event, data } of readServerEvents(response.body)) {
    const body = JSON.parse(data);
    if (event === "progress") work.onProgress(body);
    if (event === "error") throw new RequestFailed(body.error, 0);
    if (event === "result") return body;
  }
  throw connectionClosed();
}

function connectionClosed(): RequestFailed {
  return new RequestFailed(
    { code: "offline", message: "The server closed the connection before it finished." },
    0,
  );
}

/** A server-sent event with its `id`, `event` and `data` fields. */
interface ServerEvent {
  readonly id: string | undefined;
  readonly event: string;
  readonly data: string;
}

/**
 * Reads a stream of server-sent events by fetch, since `EventSource` cannot send the token's
 * header.
 */
export async function* readServerEvents(
  body: ReadableStream<Uint8Array>,
): AsyncGenerator<ServerEvent> {
  const reader = body.pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>);
  let rest = "";
  for await (const chunk of getChunks(reader.getReader())) {
    const blocks = (rest + chunk).split("\n\n");
    rest = blocks.pop() ?? "";
    for (const block of blocks) {
      const event = parseBlock(block);
      if (event !== undefined) yield event;
    }
  }
}

async function* getChunks(reader: ReadableStreamDefaultReader<string>): AsyncGenerator<string> {
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

function parseBlock(block: string): ServerEvent | undefined {
  const fields = new Map<string, string>();
  for (const line of block.split("\n")) {
    const at = line.indexOf(":");
    if (at <= 0) continue;
    const value = line.slice(at + 1).replace(/^ /, "");
    const name = line.slice(0, at);
    const previous = fields.get(name);
    fields.set(name, previous === undefined ? value : `${previous}\n${value}`);
  }
  const data = fields.get("data");
  if (data === undefined) return undefined;
  return { id: fields.get("id"), event: fields.get("event") ?? "message", data };
}
