import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface SeenRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  // biome-ignore lint/suspicious/noExplicitAny: the body of any of the services' APIs
  readonly body: any;
}

export type ServiceAnswer =
  | {
      readonly events: readonly (string | Uint8Array)[];
      readonly type?: string;
    }
  | { readonly json: unknown }
  | { readonly status: number; readonly refusal: unknown };

export interface StrictService extends AsyncDisposable {
  /** Includes the API version. */
  readonly baseUrl: string;
  readonly seen: readonly SeenRequest[];
  readonly refusals: readonly unknown[];
}

export async function startService(
  answer: (request: SeenRequest, turn: number) => ServiceAnswer,
): Promise<StrictService> {
  const seen: SeenRequest[] = [];
  const refusals: unknown[] = [];
  let turn = 0;
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request) text += chunk;
    const one = {
      path: request.url ?? "",
      headers: request.headers,
      body: JSON.parse(text || "{}"),
    };
    seen.push(one);
    const given = answer(one, turn);
    if ("refusal" in given) {
      refusals.push(given.refusal);
      response.writeHead(given.status, { "content-type": "application/json" });
      response.end(JSON.stringify(given.refusal));
      return;
    }
    if ("json" in given) {
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify(given.json));
      return;
    }
    turn += 1;
    response.writeHead(200, { "content-type": given.type ?? "text/event-stream" });
    for (const event of given.events) response.write(event);
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    seen,
    refusals,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export function unknownKey(
  value: unknown,
  allowed: readonly string[],
  at: string,
): string | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const key = Object.keys(value).find((name) => !allowed.includes(name));
  return key === undefined ? undefined : `${at}${key}`;
}

export const event = (data: unknown, name?: string): string =>
  `${name === undefined ? "" : `event: ${name}\n`}data: ${typeof data === "string" ? data : JSON.stringify(data)}\n\n`;
