import { STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import type { CairnError } from "../../shared/errors.ts";
import { HTTP_STATUS } from "./http-status.ts";

/** Time for the client to read the answer before the connection is cut; milliseconds. */
const LINGER = 1_000;

/** Answers a connection that has no response object yet in the error shape, and closes it. */
export function refuseSocket(
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
  const cut = setTimeout(() => socket.destroy(), LINGER);
  socket.once("close", () => clearTimeout(cut));
  // The client may be gone already; there is nobody left to tell.
  socket.on("error", () => socket.destroy());
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
  // Unread bytes would turn the close into a reset, and the client would not see the answer.
  socket.resume();
}
