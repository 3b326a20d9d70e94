import type { ErrorCode } from "../kernel/errors.ts";

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
  internal: 500,
} as const satisfies Record<ErrorCode, number>;
