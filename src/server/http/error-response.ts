import { HTTPException } from "hono/http-exception";
import { OverLimit } from "../../shared/caller.ts";
import {
  CairnError,
  diskIsFull,
  type ErrorCode,
  isCairnError,
  lacksDescriptors,
  lacksSpace,
  StaleWrite,
  tooManyFilesOpen,
} from "../../shared/errors.ts";
import type { Logger } from "../../shared/logger.ts";
import { HTTP_STATUS, TOO_MANY_REQUESTS } from "./reject-socket.ts";

/**
 * Builds `{error: {code, message, details?}}` with the code's status. Unexpected errors are logged
 * and returned as `internal` without their message.
 */
export function errorResponse(error: unknown, logger?: Logger): Response {
  const known = toExpectedError(error);
  if (known.code === "internal") logger?.error(formatTrace(error));
  const headers = new Headers({ "content-type": "application/json" });
  if (known.code === "unauthorized") headers.set("www-authenticate", "Bearer");
  if (known.code === "busy") headers.set("retry-after", String(retrySeconds(known)));
  const body = JSON.stringify({ error: known.toBody() });
  return new Response(body, { status: chooseStatus(known), headers });
}

/** Seconds for `Retry-After`. */
function retrySeconds(error: CairnError): number {
  return error instanceof OverLimit ? error.retryAfterSeconds : 1;
}

function chooseStatus(error: CairnError): number {
  if (error instanceof OverLimit) return TOO_MANY_REQUESTS;
  return error instanceof StaleWrite ? PRECONDITION_FAILED : HTTP_STATUS[error.code];
}

const PRECONDITION_FAILED = 412;

function toExpectedError(error: unknown): CairnError {
  if (isCairnError(error)) return error;
  if (error instanceof HTTPException && error.status < 500) {
    return new CairnError(
      findErrorCode(error.status),
      error.message || "The request is not valid.",
    );
  }
  if (lacksDescriptors(error)) return tooManyFilesOpen(error);
  if (lacksSpace(error)) return diskIsFull(error);
  return new CairnError("internal", "Internal error; see the server log.");
}

function findErrorCode(status: number): ErrorCode {
  const codes = Object.keys(HTTP_STATUS) as ErrorCode[];
  return codes.find((code) => HTTP_STATUS[code] === status) ?? "invalid_input";
}

function formatTrace(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
