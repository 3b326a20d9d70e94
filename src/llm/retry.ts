import { sleep } from "../shared/async.ts";
import { isCairnError, messageOf } from "../shared/errors.ts";
import type { ModelAnswer, ModelRequest } from "./model-port.ts";
import { describeFailure, toShownError } from "./provider-error.ts";

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 30_000;
const LONGEST_RETRY_AFTER_MS = 120_000;

export interface RetryPolicy {
  readonly maxRetries: number;
  readonly provider: string;
  readonly model: string;
  readonly secret: string | undefined;
  readonly request: ModelRequest;
}

/**
 * Retries transient failures while nothing was shown or the caller can discard it. Throws the
 * CairnError to show or the signal's reason.
 */
export async function withRetries(
  policy: RetryPolicy,
  attempt: (onText: (text: string) => void) => Promise<ModelAnswer>,
): Promise<ModelAnswer> {
  const { request } = policy;
  for (let retries = 0; ; retries += 1) {
    let shown = false;
    try {
      return await attempt((text) => {
        shown = true;
        request.onText?.(text);
      });
    } catch (error) {
      request.signal.throwIfAborted();
      // Expected errors such as timeouts are not retried.
      if (isCairnError(error)) throw error;
      const failure = describeFailure(error);
      const isBilled = shown || (failure.status === undefined && !isUnreached(error));
      const wait = waitBefore(retries, failure.retryAfterMs);
      const canRepeat = !shown || request.onRestart !== undefined;
      const worthTrying = failure.transient && canRepeat && wait !== undefined;
      if (!worthTrying || retries >= policy.maxRetries) {
        throw Object.assign(toShownError(error, policy), { failedAttempt: { isBilled } });
      }
      request.onFailedAttempt?.({ isBilled });
      if (shown) request.onRestart?.();
      const reason = failure.status === undefined ? failure.message : `status ${failure.status}`;
      request.onRetry?.(
        `The model request failed (${reason}); retrying in ${seconds(wait)} s ` +
          `(${retries + 1} of ${policy.maxRetries}).`,
      );
      await sleep(wait, request.signal);
      request.onNextAttempt?.();
    }
  }
}

function isUnreached(error: unknown): boolean {
  const text = `${messageOf(error)} ${error instanceof Error ? messageOf(error.cause) : ""}`;
  return /ECONNREFUSED|ENOTFOUND|EAI_AGAIN|Cannot connect to API/.test(text);
}

/** Undefined if the requested delay is too long. */
function waitBefore(retries: number, retryAfterMs: number | undefined): number | undefined {
  if (retryAfterMs !== undefined) {
    return retryAfterMs > LONGEST_RETRY_AFTER_MS ? undefined : retryAfterMs;
  }
  const full = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** retries);
  // Jitter, so that threads do not retry simultaneously.
  return full / 2 + Math.random() * (full / 2);
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(1);
}
