import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { CairnError } from "./errors.ts";
import { stripControlLine } from "./text.ts";

export interface LoopbackRedirect {
  readonly url: string;
  code(signal: AbortSignal): Promise<string>;
  close(): void;
}

const CALLBACK_PATH = "/callback";
const LOGIN_TIMEOUT_MS = 300_000;

export type Secret =
  /** The provider returns this text as `state`. */
  | { readonly state: string }
  /** For providers that return no `state`: the last segment of the callback path. */
  | { readonly pathSegment: string };

/**
 * Waits on loopback for the browser to return from a login. Rejects requests without the secret.
 */
export async function startLoopbackRedirect(secret: Secret, port = 0): Promise<LoopbackRedirect> {
  const path = "pathSegment" in secret ? `${CALLBACK_PATH}/${secret.pathSegment}` : CALLBACK_PATH;
  let found: (code: string) => void = () => {};
  let failed: (error: Error) => void = () => {};
  const code = new Promise<string>((resolve, reject) => {
    found = resolve;
    failed = reject;
  });
  // Prevents an unhandled rejection if the caller closes early.
  code.catch(() => undefined);
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "/", "http://127.0.0.1");
    if (request.method !== "GET" || url.pathname !== path) {
      respond(response, 404, "Not found.");
      return;
    }
    if ("state" in secret && url.searchParams.get("state") !== secret.state) {
      respond(response, 400, "This response does not belong to the current login.");
      return;
    }
    const authorizationCode = url.searchParams.get("code");
    if (authorizationCode !== null) {
      respond(response, 200, "You are logged in. You can close this page.");
      found(authorizationCode);
      return;
    }
    const reason = stripControlLine(
      url.searchParams.get("error") ?? "the response contains no code",
    ).slice(0, 200);
    respond(response, 200, "Login failed. You can close this page.");
    failed(new CairnError("forbidden", `The login was denied: ${reason}.`));
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  const { port: assignedPort } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${assignedPort}${path}`,
    code: (signal) => Promise.race([code, expireAfter(signal)]),
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

function expireAfter(signal: AbortSignal): Promise<never> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(LOGIN_TIMEOUT_MS)]);
  return new Promise((_, reject) => {
    const end = () =>
      reject(new CairnError("unavailable", "The login timed out after five minutes."));
    if (limit.aborted) end();
    else limit.addEventListener("abort", end, { once: true });
  });
}

function respond(response: ServerResponse, status: number, sentence: string): void {
  response.writeHead(status, {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": "default-src 'none'",
    "cache-control": "no-store",
    connection: "close",
  });
  response.end(`<!doctype html><title>cairn</title><p>${sentence}</p>`);
}
