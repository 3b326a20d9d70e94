import { lookup } from "node:dns/promises";
import http, { type IncomingMessage } from "node:http";
import https from "node:https";
import type { LookupFunction } from "node:net";
import { isIP } from "node:net";
import type { Readable } from "node:stream";
import zlib from "node:zlib";
import { CairnError, invalidInput, messageOf } from "../../shared/errors.ts";
import { isPublicAddress } from "../../shared/public-address.ts";

interface HostAddress {
  readonly address: string;
  readonly family: number;
}

export interface WebAccess {
  /** Rejects if the host does not exist. */
  resolve(host: string): Promise<readonly HostAddress[]>;
  mayReach(address: string): boolean;
}

/** The internet, without this machine and its private networks. */
export const publicWeb: WebAccess = {
  resolve: (host) => lookup(host, { all: true }),
  mayReach: isPublicAddress,
};

/**
 * Resolves the addresses for a URL. The connection uses these without another lookup, so that a
 * host cannot change meanwhile. Throws invalid_input if any address is private.
 */
async function resolveAddresses(web: WebAccess, url: URL): Promise<readonly HostAddress[]> {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const family = isIP(host);
  const addresses = family === 0 ? await web.resolve(host) : [{ address: host, family }];
  const closed = addresses.find(({ address }) => !web.mayReach(address));
  if (closed === undefined) return addresses;
  const leads = closed.address === host ? "is" : `leads to ${closed.address},`;
  throw invalidInput(
    `${host} ${leads} an address of this machine or of a private network; web_fetch reads public ` +
      "pages only. Use the shell to query a server that you started.",
  );
}

export const MAX_BYTES = 5 * 1024 * 1024;

export interface WebAnswer {
  readonly url: URL;
  readonly status: number;
  readonly contentType: string;
  readonly location: string | undefined;
  readonly body: Buffer;
}

export interface PageRequest {
  readonly web: WebAccess;
  readonly url: URL;
  readonly userAgent: string;
  readonly signal: AbortSignal;
}

/**
 * Sends one GET without following redirects. Throws a CairnError to show, or the signal's reason.
 */
export async function requestPage({
  web,
  url,
  userAgent,
  signal,
}: PageRequest): Promise<WebAnswer> {
  try {
    const addresses = await resolveAddresses(web, url);
    signal.throwIfAborted();
    const lookup: LookupFunction = (_host, { all }, answer) => {
      const [first] = addresses;
      if (all === true) answer(null, [...addresses]);
      else answer(null, first?.address ?? "", first?.family);
    };
    const response = await sendRequest(url, { lookup, signal, headers: createHeaders(userAgent) });
    try {
      const { statusCode: status = 0, headers } = response;
      const { location, "content-type": contentType = "" } = headers;
      const isRedirect = status >= 300 && status < 400;
      const body = isRedirect ? Buffer.alloc(0) : await readBody(response);
      return { url, status, contentType, location: isRedirect ? location : undefined, body };
    } finally {
      response.destroy();
    }
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof CairnError) throw error;
    throw new CairnError("unavailable", `${url.host} cannot be reached: ${messageOf(error)}`);
  }
}

/** Pages may answer a known agent with Markdown. */
function createHeaders(userAgent: string) {
  return {
    accept: "text/markdown, text/html;q=0.9, text/plain;q=0.9, application/json;q=0.8, */*;q=0.5",
    "accept-encoding": "gzip, deflate, br",
    "accept-language": "en, *;q=0.5",
    "user-agent": userAgent,
  };
}

function sendRequest(url: URL, options: http.RequestOptions): Promise<IncomingMessage> {
  const { request } = url.protocol === "https:" ? https : http;
  return new Promise((resolve, reject) => {
    const query = request(url, { ...options, agent: false }, resolve);
    query.once("error", reject);
    query.end();
  });
}

async function readBody(response: IncomingMessage): Promise<Buffer> {
  if (Number(response.headers["content-length"] ?? 0) > MAX_BYTES) throw tooLargeError();
  const unpacked = unpack(response);
  const chunks: Buffer[] = [];
  let size = 0;
  let packed = 0;
  response.on("data", (chunk: Buffer) => {
    packed += chunk.length;
    if (packed > MAX_BYTES) response.destroy(tooLargeError());
  });
  for await (const chunk of unpacked) {
    size += chunk.length;
    if (size > MAX_BYTES) throw tooLargeError();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function unpack(response: IncomingMessage): Readable {
  const unpacker = createUnpacker(response.headers["content-encoding"]);
  if (unpacker === undefined) return response;
  response.once("error", (error) => unpacker.destroy(error));
  response.once("aborted", () => unpacker.destroy(new Error("the response was incomplete")));
  return response.pipe(unpacker);
}

function createUnpacker(encoding: string | undefined) {
  switch (encoding?.trim().toLowerCase()) {
    case undefined:
    case "":
    case "identity":
      return undefined;
    case "gzip":
    case "x-gzip":
      return zlib.createGunzip();
    case "deflate":
      return zlib.createInflate();
    case "br":
      return zlib.createBrotliDecompress();
    default:
      throw new CairnError("unavailable", `Unexpected Content-Encoding: ${encoding}.`);
  }
}

function tooLargeError(): CairnError {
  return new CairnError(
    "too_large",
    `The page has more than ${MAX_BYTES / 1024 / 1024} MiB. Download it in the shell and read a part.`,
  );
}
