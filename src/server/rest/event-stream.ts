import type { ChangeFeed, EventKind, EventRecord, FollowOptions } from "../../memory/index.ts";
import { invalidInput } from "../../shared/errors.ts";
import { parseInteger } from "../../shared/parse-field.ts";

const HEARTBEAT_MS = 15_000;
/** Milliseconds between token checks. */
const TOKEN_CHECK_MS = 1_000;
/** Milliseconds until the client reconnects. */
const RETRY_MS = 1_000;

export interface EventStreamOptions {
  readonly feed: ChangeFeed;
  readonly sinceSeq: number;
  readonly kind: EventKind | undefined;
  readonly filter?: FollowOptions["filter"];
  /** Abort when the server stops or the client disconnects. */
  readonly signals: readonly AbortSignal[];
  readonly heartbeatMs?: number;
  /** Checked every second; the stream ends once it is false. */
  readonly isStillAuthorized?: () => Promise<boolean>;
}

/**
 * Streams the change feed as server-sent events. Event ids are `seq`, so reconnecting clients
 * resume. Reads each batch only after the client received the previous one, so slow clients use no
 * memory.
 */
export function eventStream(options: EventStreamOptions): Response {
  const disconnected = new AbortController();
  const batches = options.feed.follow({
    sinceSeq: options.sinceSeq,
    kind: options.kind,
    filter: options.filter,
    signal: AbortSignal.any([disconnected.signal, ...options.signals]),
    idleMs: options.heartbeatMs ?? HEARTBEAT_MS,
  });
  const { isStillAuthorized } = options;
  const looking = setInterval(async () => {
    if (isStillAuthorized !== undefined && !(await isStillAuthorized())) disconnected.abort();
  }, TOKEN_CHECK_MS).unref();
  const end = () => clearInterval(looking);
  disconnected.signal.addEventListener("abort", end);
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>(
    {
      start: (controller) => controller.enqueue(encoder.encode(`retry: ${RETRY_MS}\n\n`)),
      async pull(controller) {
        const next = await readNext(batches, end);
        if (next.done === true) controller.close();
        else
          controller.enqueue(encoder.encode(next.value.map(formatFrame).join("") || ": alive\n\n"));
      },
      cancel: () => disconnected.abort(),
    },
    { highWaterMark: 1 },
  );
  return new Response(body, {
    headers: {
      "content-type": "text/event-stream",
      "cache-control": "no-store, no-transform",
      "x-accel-buffering": "no",
    },
  });
}

/** Calls `end` if no further batch follows. */
async function readNext(
  batches: AsyncIterator<readonly EventRecord[]>,
  end: () => void,
): Promise<IteratorResult<readonly EventRecord[]>> {
  try {
    const next = await batches.next();
    if (next.done === true) end();
    return next;
  } catch (error) {
    end();
    throw error;
  }
}

/** Parses `Last-Event-ID`, sent on reconnect. Throws invalid_input. */
export function lastEventId(header: string | undefined): number | undefined {
  if (header === undefined || header === "") return undefined;
  const seq = parseInteger(header, "Last-Event-ID");
  if (seq < 0) throw invalidInput("Last-Event-ID: must be a non-negative event seq.");
  return seq;
}

/** Events are unnamed so that `EventSource.onmessage` receives them; the data contains the kind. */
function formatFrame(event: EventRecord): string {
  return `id: ${event.seq}\ndata: ${JSON.stringify(event)}\n\n`;
}
