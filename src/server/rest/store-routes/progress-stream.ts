import { errorResponse } from "../../http/index.ts";
import type { StoreCall } from "./store-route.ts";

type OnProgress = StoreCall<unknown>["onProgress"];

/** Milliseconds between two messages: people cannot read faster. */
const PAUSE_MS = 100;

/**
 * Runs work and sends server-sent events: `progress` with stage, done and total, then one `result`
 * or `error`. If the client leaves, the work ends.
 */
export function progressStream(
  work: (signal: AbortSignal, onProgress: OnProgress) => Promise<unknown>,
): Response {
  const gone = new AbortController();
  const encoder = new TextEncoder();
  let told = 0;
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      const send = (event: string, data: unknown) => {
        if (gone.signal.aborted) return;
        controller.enqueue(encoder.encode(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`));
      };
      const onProgress: OnProgress = (progress) => {
        const now = Date.now();
        if (now - told < PAUSE_MS && progress.done !== progress.total) return;
        told = now;
        send("progress", progress);
      };
      try {
        send("result", await work(gone.signal, onProgress));
      } catch (error) {
        send("error", await errorResponse(error).json());
      }
      if (!gone.signal.aborted) controller.close();
    },
    cancel: () => gone.abort(),
  });
  return new Response(body, {
    headers: {
      "content-type": "text/event-stream",
      "cache-control": "no-store, no-transform",
      "x-accel-buffering": "no",
    },
  });
}
