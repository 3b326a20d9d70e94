import { request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import type { BrokerAnswer, BrokerRequest } from "./door.ts";

const DROPPED = ["authorization", "cookie", "host", "connection", "proxy-authorization"];
const DROPPED_OF_ANSWER = [
  ...["www-authenticate", "set-cookie", "connection", "transfer-encoding", "location"],
];

export interface Target {
  readonly url: URL;
  readonly authorization: string | undefined;
  /** In place of those of the program. */
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * Where the program is led if the answer leads elsewhere, without a key; undefined: it is refused, since
   * it would be asked there with the same key.
   */
  readonly onRedirect?: (goal: URL) => string | undefined;
}

/** Asks in the place of a program, and passes on what comes, but for what logs in or is remembered. */
export async function forward(
  asked: Pick<BrokerRequest, "method" | "headers" | "body">,
  target: Target,
): Promise<BrokerAnswer & { readonly body: IncomingMessage }> {
  const upstream = await send(asked, target);
  const status = upstream.statusCode ?? 502;
  const kept = Object.entries(upstream.headers).flatMap(([name, value]) =>
    value === undefined || DROPPED_OF_ANSWER.includes(name) ? [] : [[name, value] as const],
  );
  const headers: Record<string, string | string[]> = Object.fromEntries(kept);
  if (status < 300 || status >= 400 || status === 304) return { status, headers, body: upstream };
  const goal = new URL(upstream.headers.location ?? "", target.url);
  const led = target.onRedirect?.(goal);
  if (led === undefined) {
    upstream.resume();
    throw new Error(`${target.url.host} leads elsewhere.`);
  }
  return { status, headers: { ...headers, location: led }, body: upstream };
}

function send(
  { method, headers: given, body }: Pick<BrokerRequest, "method" | "headers" | "body">,
  { url, authorization, headers: further }: Target,
): Promise<IncomingMessage> {
  const kept = Object.entries(given).filter(([name]) => !DROPPED.includes(name));
  const headers = {
    ...Object.fromEntries(kept),
    ...further,
    host: url.host,
    ...(authorization !== undefined && { authorization }),
  };
  const request = url.protocol === "https:" ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const upstream = request(url, { method, headers, agent: false }, resolve);
    upstream.once("error", reject);
    body.pipe(upstream);
  });
}
