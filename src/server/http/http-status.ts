import type { ErrorCode } from "../../shared/errors.ts";
import { isPlainObject } from "../../shared/json.ts";

/** The status of every error code; a new code does not compile until it has one. */
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

/** The status of an error as it is told, `{code, details?}`; undefined where it is no error of cairn's. */
export function statusOfBody({ code, details }: Readonly<Record<string, unknown>>) {
  if (typeof code !== "string" || !Object.hasOwn(HTTP_STATUS, code)) return undefined;
  // An OverLimit: no other `busy` says what there is too much of.
  const isOverLimit = code === "busy" && isPlainObject(details) && "limit" in details;
  return isOverLimit ? TOO_MANY_REQUESTS : HTTP_STATUS[code as ErrorCode];
}
