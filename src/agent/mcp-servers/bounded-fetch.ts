/** Bytes of one message of a server: as much as over its standard output. */
export const LARGEST_MESSAGE = 10 * 1024 * 1024;

export const TOO_LARGE = `a message of more than ${LARGEST_MESSAGE / 1024 / 1024} MiB, which is not read`;

const BLANK_LINE = /\r?\n\r?\n/g;

/**
 * `fetch` that reads no answer, and of a stream no event, that is larger than a message may be; then
 * `onTooLarge` is called, for the stream would be opened again otherwise.
 */
export function boundedFetch(onTooLarge: () => void): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    if (response.body === null) return response;
    const isStream = response.headers.get("content-type")?.includes("text/event-stream") === true;
    const body = response.body.pipeThrough(bounded(isStream, onTooLarge));
    const { status, statusText, headers } = response;
    return new Response(body, { status, statusText, headers });
  };
}

function bounded(isStream: boolean, onTooLarge: () => void) {
  let size = 0;
  return new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      // Events end with a blank line; one that two chunks share makes the next no smaller.
      const rest = isStream ? afterLastEvent(chunk) : undefined;
      size = rest ?? size + chunk.length;
      if (size > LARGEST_MESSAGE) {
        controller.error(new Error(TOO_LARGE));
        onTooLarge();
      } else controller.enqueue(chunk);
    },
  });
}

/** Bytes after the last event that ends in the chunk; undefined: none does. */
function afterLastEvent(chunk: Uint8Array): number | undefined {
  const last = [...Buffer.from(chunk).toString("latin1").matchAll(BLANK_LINE)].at(-1);
  return last === undefined ? undefined : chunk.length - last.index - last[0].length;
}
