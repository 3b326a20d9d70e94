import { invalidInput } from "../kernel/errors.ts";
import { parseInteger } from "../kernel/strict-scalars.ts";
import type { ChangeFeed, EventKind, EventRecord } from "../memory/index.ts";

const HEARTBEAT_MS = 15_000;
/** A token that was revoked is known to be so within a second more. */
const LOOK_AGAIN_MS = 1_000;
/** How long a client waits before it connects again; milliseconds. */
const RETRY_MS = 1_000;

export interface EventStreamOptions {
  readonly feed: ChangeFeed;
  readonly sinceSeq: number;
  readonly kind: EventKind | undefined;
  /** The server stops, or the client is gone. */
  readonly signals: readonly AbortSignal[];
  readonly heartbeatMs?: number;
  /** Asked every second; the stream ends once it is not so. */
  readonly isStillLetIn?: () => Promise<boolean>;
}

/**
 * The change feed as server-sent events. The id of each is its `seq`, so that a client that
 * connects again goes on behind the last one it has. A batch is read when the client has taken the
 * one before: a slow client costs no memory.
 */
export function eventStream(options: EventStreamOptions): Response {
  const gone = new AbortController();
  const batches = options.feed.follow({
    sinceSeq: options.sinceSeq,
    kind: options.kind,
    signal: AbortSignal.any([gone.signal, ...options.signals]),
    idleMs: options.heartbeatMs ?? HEARTBEAT_MS,
  });
  const { isStillLetIn } = options;
  const looking = setInterval(async () => {
    if (isStillLetIn !== undefined && !(await isStillLetIn())) gone.abort();
  }, LOOK_AGAIN_MS).unref();
  const end = () => clearInterval(looking);
  gone.signal.addEventListener("abort", end);
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>(
    {
      start: (controller) => controller.enqueue(encoder.encode(`retry: ${RETRY_MS}\n\n`)),
      async pull(controller) {
        const next = await nextOf(batches, end);
        if (next.done === true) controller.close();
        else controller.enqueue(encoder.encode(next.value.map(frame).join("") || ": alive\n\n"));
      },
      cancel: () => gone.abort(),
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

/** `end` is called where no other batch follows. */
async function nextOf(
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

/** `Last-Event-ID` as a client that connects again sends it. Throws invalid_input. */
export function lastEventId(header: string | undefined): number | undefined {
  if (header === undefined || header === "") return undefined;
  const seq = parseInteger(header, "Last-Event-ID");
  if (seq < 0) throw invalidInput("Last-Event-ID: must be the seq of an event, not negative.");
  return seq;
}

/** Without a name of its own each reaches `EventSource.onmessage`; its kind is in the data. */
function frame(event: EventRecord): string {
  return `id: ${event.seq}\ndata: ${JSON.stringify(event)}\n\n`;
}
