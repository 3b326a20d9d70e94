import { Readable, Writable } from "node:stream";
import { ndJsonStream } from "@agentclientprotocol/sdk/unstable";
import { type AcpOptions, createAcpApp } from "./acp-app.ts";

export interface AcpStdioOptions extends AcpOptions {
  readonly stdin: Readable;
  readonly stdout: Writable;
  /** Ends the service as an editor that goes away does. */
  readonly signal: AbortSignal;
}

/** Speaks the protocol until the editor closes the streams or the signal aborts. */
export async function serveAcpStdio({
  stdin,
  stdout,
  signal,
  ...options
}: AcpStdioOptions): Promise<void> {
  const { app, close } = createAcpApp(options);
  const connection = app.connect(
    ndJsonStream(
      Writable.toWeb(stdout),
      // Node's type of the stream differs from the global one in its details only.
      Readable.toWeb(stdin) as ReadableStream<Uint8Array>,
    ),
  );
  const stop = () => connection.close();
  signal.addEventListener("abort", stop, { once: true });
  try {
    await connection.closed;
  } finally {
    signal.removeEventListener("abort", stop);
    await close();
  }
}
