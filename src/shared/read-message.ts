/**
 * Reads one JSON message from a stream, or everything up to its end. Clients of hooks may leave the pipe
 * open after the message. Returns the bytes as they were sent.
 */
export async function readMessage(stream: AsyncIterable<unknown>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) {
    chunks.push(Buffer.from(chunk as Uint8Array));
    if (/\}\s*$/.test(lastOf(chunks)) && isMessage(Buffer.concat(chunks).toString("utf8"))) break;
  }
  return Buffer.concat(chunks);
}

function lastOf(chunks: readonly Buffer[]): string {
  return chunks.at(-1)?.subarray(-64).toString("latin1") ?? "";
}

function isMessage(text: string): boolean {
  try {
    JSON.parse(text.replace(/^\uFEFF+/, ""));
    return true;
  } catch {
    // The message goes on in the next chunk.
    return false;
  }
}
