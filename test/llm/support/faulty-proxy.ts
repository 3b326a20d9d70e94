import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import type { StrictService } from "./providers/index.ts";

/** Framing of events in a streamed response. */
export type Framing = "server-sent" | "lines" | "frames";

export interface Fault {
  readonly instead?: {
    readonly status: number;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body: unknown;
  };
  readonly change?: (events: readonly Buffer[]) => readonly Buffer[];
  readonly piece?: number;
  readonly cut?: true;
}

const ASKS = /\/(chat|chat\/completions|messages|responses|[a-z]+-?stream|invoke-with-.*)$|:stream/;

/**
 * Starts a proxy that applies one fault to each of the first responses; later ones pass unchanged.
 */
export async function startFaultyProxy(
  service: StrictService,
  framing: Framing,
  faults: readonly Fault[],
): Promise<{ baseUrl: string; asked: () => number }> {
  const waiting = [...faults];
  let requestCount = 0;
  const { origin } = new URL(service.baseUrl);
  const server = createServer(async (request, response) => {
    const path = request.url ?? "";
    const isAsking = ASKS.test(path);
    if (isAsking) requestCount += 1;
    const fault = isAsking ? waiting.shift() : undefined;
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    if (fault?.instead !== undefined) {
      const { status, headers, body } = fault.instead;
      response.writeHead(status, { "content-type": "application/json", ...headers });
      response.end(JSON.stringify(body));
      return;
    }
    const { host: _, connection: __, "transfer-encoding": ___, ...headers } = request.headers;
    const answer = await fetch(`${origin}${path}`, {
      method: request.method ?? "GET",
      headers: headers as Record<string, string>,
      ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
    });
    const whole = Buffer.from(await answer.arrayBuffer());
    response.writeHead(answer.status, { "content-type": answer.headers.get("content-type") ?? "" });
    const change = fault?.change ?? ((events) => events);
    await send(response, Buffer.concat(change(eventsOf(whole, framing))), fault);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { pathname } = new URL(service.baseUrl);
  const here = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { baseUrl: here + (pathname === "/" ? "" : pathname), asked: () => requestCount };
}

async function send(response: ServerResponse, bytes: Buffer, fault: Fault | undefined) {
  const { piece = bytes.length, cut } = fault ?? {};
  for (let at = 0; at < bytes.length; at += piece) {
    const isLast = at + piece >= bytes.length;
    // Destroys the socket after everything was sent.
    const after = isLast && cut === true ? () => void response.destroy() : undefined;
    response.write(bytes.subarray(at, at + piece), after);
    // Separates the chunks into packets.
    if (piece < bytes.length) await new Promise((resolve) => setImmediate(resolve));
  }
  if (cut !== true) response.end();
}

function eventsOf(bytes: Buffer, framing: Framing): readonly Buffer[] {
  const events: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const end = endOf(bytes, at, framing);
    events.push(bytes.subarray(at, end));
    at = end;
  }
  return events;
}

function endOf(bytes: Buffer, at: number, framing: Framing): number {
  if (framing === "frames") return at + bytes.readUInt32BE(at);
  const mark = framing === "lines" ? "\n" : "\n\n";
  const found = bytes.indexOf(mark, at);
  return found < 0 ? bytes.length : found + mark.length;
}
