// Part of the daemon's client: nothing is imported here.

/** A client that does not finish its payload within this time is not waited for. */
const PAYLOAD_TIMEOUT_MS = 2_000;
const MAX_PAYLOAD_BYTES = 64 * 1024 * 1024;

/**
 * Reads one JSON object from a stream. Some clients leave the pipe open, so it resolves as soon as the
 * object is complete, and after a timeout with what has arrived.
 */
export function readPayload(stream: NodeJS.ReadableStream): Promise<Buffer> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const finish = () => {
      clearTimeout(timer);
      stream.removeAllListeners("data");
      stream.pause();
      if ("unref" in stream && typeof stream.unref === "function") stream.unref();
      resolve(Buffer.concat(chunks));
    };
    const timer = setTimeout(finish, PAYLOAD_TIMEOUT_MS);
    stream.on("data", (chunk: Buffer | string) => {
      chunks.push(Buffer.from(chunk));
      size += chunk.length;
      if (size > MAX_PAYLOAD_BYTES || isComplete(chunks)) finish();
    });
    stream.once("end", finish);
    stream.once("error", finish);
  });
}

function isComplete(chunks: readonly Buffer[]): boolean {
  const last = chunks.at(-1)?.toString("utf8").trimEnd() ?? "";
  if (last !== "" && !last.endsWith("}")) return false;
  try {
    JSON.parse(
      Buffer.concat(chunks)
        .toString("utf8")
        .replace(/^\uFEFF+/, ""),
    );
    return true;
  } catch {
    return false;
  }
}
