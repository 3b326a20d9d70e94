import type { IncomingMessage } from "node:http";
import type { Context, MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import { CairnError, invalidInput, isCairnError } from "../../shared/errors.ts";
import { hasLargerObject, JsonSyntaxError, MAX_JSON_KEYS, parseJson } from "../../shared/json.ts";
import type { HttpEnv } from "./guard-middleware.ts";

interface ReadMessage extends IncomingMessage {
  rawBody?: Buffer;
}

/**
 * Reads bodies from the socket before the handler runs, since streaming a `Request` body costs more
 * than the rest of a short request. Throws too_large, and unavailable if the client disconnects
 * early.
 */
export function bufferBodies(maxBytes: number): MiddlewareHandler<HttpEnv> {
  const tooLarge = (): never => {
    throw new CairnError("too_large", `The body is larger than ${maxBytes} bytes. Send less.`);
  };
  const withoutServer = bodyLimit({ maxSize: maxBytes, onError: tooLarge });
  return async (c, next) => {
    const message: ReadMessage | undefined = c.env?.incoming as IncomingMessage | undefined;
    if (message === undefined) return withoutServer(c, next);
    if (!hasBody(message)) return next();
    requireIdentityEncoding(message.headers["content-encoding"]);
    if (Number(message.headers["content-length"] ?? 0) > maxBytes) tooLarge();
    message.rawBody = (await readAll(message, maxBytes)) ?? tooLarge();
    return next();
  };
}

export function getBody(message: IncomingMessage | undefined): Buffer | undefined {
  return (message as ReadMessage | undefined)?.rawBody;
}

function hasBody({ method, headers }: IncomingMessage): boolean {
  if (method === "GET" || method === "HEAD") return false;
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}

function requireIdentityEncoding(encoding = "identity"): void {
  if (encoding.toLowerCase() === "identity") return;
  throw new CairnError(
    "unsupported_media_type",
    `Content-Encoding "${encoding.slice(0, 80)}" is not supported. Send the body uncompressed.`,
  );
}

/** Milliseconds per body. */
const TIMEOUT_MS = 10_000;
/** Well below the slowest usable connection. */
const MIN_BYTES_PER_SECOND = 500;

/** Detects clients that hold connections open by sending slowly. */
export function isTooSlow(bytes: number, milliseconds: number): boolean {
  return milliseconds > TIMEOUT_MS && bytes < (MIN_BYTES_PER_SECOND * milliseconds) / 1_000;
}

function tooSlowError(): CairnError {
  return new CairnError("unavailable", "The body arrived too slowly. Send it again.");
}

/** Undefined if too large; the connection stays open for the response. */
async function readAll(message: IncomingMessage, maxBytes: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  const startedAt = performance.now();
  try {
    for await (const chunk of message.iterator({ destroyOnReturn: false })) {
      size += (chunk as Buffer).length;
      if (size > maxBytes) return undefined;
      if (isTooSlow(size, performance.now() - startedAt)) throw tooSlowError();
      chunks.push(chunk as Buffer);
    }
  } catch (error) {
    if (isCairnError(error)) throw error;
    throw new CairnError("unavailable", "The client disconnected.", undefined, { cause: error });
  }
  return chunks.length === 1 ? chunks[0] : Buffer.concat(chunks);
}

/**
 * Decodes the request body. Throws unsupported_media_type unless declared as JSON (which also blocks
 * cross-site forms), and invalid_input for malformed UTF-8 and objects with too many keys.
 */
export async function readJsonText(c: Context<HttpEnv>): Promise<string> {
  requireJson(c.req.header("content-type"));
  const text = decode(getBody(c.env?.incoming) ?? (await c.req.arrayBuffer()));
  if (!hasLargerObject(text)) return text;
  throw invalidInput(`The body contains an object with more than ${MAX_JSON_KEYS} keys.`);
}

/** Parses the request body. Throws the errors of `readJsonText`, and invalid_input if malformed. */
export async function readJsonBody(c: Context<HttpEnv>): Promise<unknown> {
  const text = await readJsonText(c);
  if (text.trim() === "") throw invalidInput("The body is empty. Send a JSON object.");
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof JsonSyntaxError) throw invalidInput(`${error.message}.`);
    throw error;
  }
}

function requireJson(contentType: string | undefined): void {
  const [type = "", ...parameters] = (contentType ?? "").toLowerCase().split(";");
  const charset = parameters.map((part) => part.trim()).find((part) => part.startsWith("charset="));
  const isUtf8 = charset === undefined || /^charset="?utf-8"?$/.test(charset);
  if (isUtf8 && /^application\/(json|[a-z0-9.+-]+\+json)$/.test(type.trim())) return;
  throw new CairnError(
    "unsupported_media_type",
    "The body must be UTF-8 JSON. Send the header Content-Type: application/json.",
  );
}

function decode(bytes: ArrayBuffer | Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) throw invalidInput("The body is not valid UTF-8.");
    throw error;
  }
}
