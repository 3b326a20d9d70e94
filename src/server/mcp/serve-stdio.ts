import type { Readable, Writable } from "node:stream";
import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import { sleep } from "../../shared/async.ts";
import type { Logger } from "../../shared/logger.ts";

export interface StdioOptions {
  readonly stdin: Readable;
  /** Carries the protocol and nothing else. */
  readonly stdout: Writable;
  readonly logger: Logger;
  /** Largest message, bytes. */
  readonly messageBytes: number;
  /** Ends the service like the end of the input. */
  readonly signal?: AbortSignal;
}

/** How long requests may still take once the input has ended; milliseconds. */
const GRACE_MS = 3_000;

/**
 * Serves until the input ends, the output is gone or the signal aborts; what was asked before is
 * still answered.
 */
export async function serveStdio(server: Server, options: StdioOptions): Promise<void> {
  const { stdin, stdout, logger, signal } = options;
  const transport = new CountingTransport(stdin, stdout, { maxBufferSize: options.messageBytes });
  const ended = new Promise<void>((resolve) => {
    stdin.once("end", resolve);
    stdin.once("close", resolve);
    stdout.once("error", () => resolve());
    stdout.once("close", resolve);
    signal?.addEventListener("abort", () => resolve(), { once: true });
    const closed = server.onclose;
    server.onclose = () => {
      closed?.();
      resolve();
    };
  });
  server.onerror = (error) => logger.warn(error.message);
  await server.connect(transport);
  await ended;
  const deadline = Date.now() + GRACE_MS;
  while (transport.unanswered > 0 && Date.now() < deadline && stdout.writable) await sleep(10);
  await server.close();
}

/** Knows how many requests wait for their answer. */
class CountingTransport extends StdioServerTransport {
  readonly #waiting = new Set<string | number>();

  get unanswered(): number {
    return this.#waiting.size;
  }

  override async start(): Promise<void> {
    const receive = this.onmessage;
    this.onmessage = (message) => {
      if ("method" in message && "id" in message) this.#waiting.add(message.id);
      if ("method" in message && message.method === "notifications/cancelled") {
        const id = (message.params as { requestId?: string | number } | undefined)?.requestId;
        if (id !== undefined) this.#waiting.delete(id);
      }
      receive?.(message);
    };
    await super.start();
  }

  override async send(message: JSONRPCMessage): Promise<void> {
    await super.send(message);
    if (!("method" in message) && message.id !== undefined) this.#waiting.delete(message.id);
  }
}
