import { describeFailure } from "../../llm/index.ts";
import { isCairnError } from "../../shared/errors.ts";

export type FailureOfModel =
  /** It may pass: `afterMs` where the service says when. */
  | { readonly kind: "passing"; readonly reason: string; readonly afterMs: number | undefined }
  /** No request of this run will be answered: the key, the account or the model is refused. */
  | { readonly kind: "refused"; readonly reason: string }
  /** Of this one request. */
  | { readonly kind: "other" };

/** An account without money answers as if it were asked too often. */
const NO_MONEY = /quota|billing|credit|payment/i;

export function failureOfModel(error: unknown, now: Date): FailureOfModel {
  const cause = isCairnError(error) && error.cause !== undefined ? error.cause : error;
  const { message, status, transient, retryAfterMs } = describeFailure(cause, now.getTime());
  if (status === 401 || status === 402 || status === 403 || status === 404) {
    return { kind: "refused", reason: `${status}: ${message}` };
  }
  if (status === 429 && retryAfterMs === undefined && NO_MONEY.test(message)) {
    return { kind: "refused", reason: `429: ${message}` };
  }
  const isSilence = isCairnError(error) && /idleTimeoutMs/.test(error.message);
  if (!transient && !isSilence) {
    return { kind: "other" };
  }
  const reason = status === undefined ? message : `status ${status}`;
  return { kind: "passing", reason, afterMs: retryAfterMs };
}
