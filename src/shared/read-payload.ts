// Part of the daemon's client: imports nothing, to start fast.

/** Timeout for clients that do not close or complete their payload. */
const PAYLOAD_TIMEOUT_MS = 2_000;
const MAX_PAYLOAD_BYTES = 64 * 1024 * 1024;

/**
 * Reads one JSON object. Some clients leave the pipe open, so this resolves once the object is
 * complete, or on timeout with the input so far.
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
