import { STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import type { CairnError, ErrorCode } from "../../shared/errors.ts";
import { isPlainObject } from "../../shared/json.ts";

export const HTTP_STATUS = {
  invalid_input: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  too_large: 413,
  unsupported_media_type: 415,
  changeset_failed: 400,
  busy: 503,
  unavailable: 503,
  storage_full: 507,
  internal: 500,
} as const satisfies Record<ErrorCode, number>;

export const TOO_MANY_REQUESTS = 429;

/** Maps an error body `{code, details?}` to a status; undefined if it is not a CairnError. */
export function statusOfBody({ code, details }: Readonly<Record<string, unknown>>) {
  if (typeof code !== "string" || !Object.hasOwn(HTTP_STATUS, code)) return undefined;
  // Only OverLimit has these details.
  const isOverLimit = code === "busy" && isPlainObject(details) && "limit" in details;
  return isOverLimit ? TOO_MANY_REQUESTS : HTTP_STATUS[code as ErrorCode];
}

/** Milliseconds for the client to read the response before the connection is closed. */
const LINGER_MS = 1_000;

export function rejectSocket(
  socket: Duplex,
  error: CairnError,
  status: number = HTTP_STATUS[error.code],
): void {
  const body = JSON.stringify({ error: error.toBody() });
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}`,
    "Connection: close",
    "Content-Type: application/json",
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...(status === 401 ? ["WWW-Authenticate: Bearer"] : []),
  ];
  const cutTimer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once("close", () => clearTimeout(cutTimer));
  // Expected: the client has disconnected.
  socket.on("error", () => socket.destroy());
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
  // Unread input would reset the connection before the client reads the response.
  socket.resume();
}
