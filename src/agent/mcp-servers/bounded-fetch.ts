/** Limit of one message in bytes, the same as for standard output. */
export const MAX_MESSAGE_BYTES = 10 * 1024 * 1024;

export const TOO_LARGE_MESSAGE = `a message of more than ${MAX_MESSAGE_BYTES / 1024 / 1024} MiB, which is not read`;

const BLANK_LINE = /\r?\n\r?\n/g;

/** `fetch` that fails if a response, or one event of a stream, exceeds the limit. */
export function boundedFetch(onTooLarge: () => void): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    if (response.body === null) return response;
    const isStream = response.headers.get("content-type")?.includes("text/event-stream") === true;
    const body = response.body.pipeThrough(limitBody(isStream, onTooLarge));
    const { status, statusText, headers } = response;
    return new Response(body, { status, statusText, headers });
  };
}

function limitBody(isStream: boolean, onTooLarge: () => void) {
  let size = 0;
  return new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      // Events end with a blank line. If two chunks share it, the size is counted too high.
      const rest = isStream ? afterLastEvent(chunk) : undefined;
      size = rest ?? size + chunk.length;
      if (size > MAX_MESSAGE_BYTES) {
        controller.error(new Error(TOO_LARGE_MESSAGE));
        onTooLarge();
      } else controller.enqueue(chunk);
    },
  });
}

/** Bytes after the last event that ends in the chunk; undefined if none does. */
function afterLastEvent(chunk: Uint8Array): number | undefined {
  const last = [...Buffer.from(chunk).toString("latin1").matchAll(BLANK_LINE)].at(-1);
  return last === undefined ? undefined : chunk.length - last.index - last[0].length;
}
