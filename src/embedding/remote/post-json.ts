import { sleep } from "../../shared/async.ts";
import { CairnError, messageOf } from "../../shared/errors.ts";

export interface PostRequest {
  readonly url: string;
  readonly body: unknown;
  readonly apiKey: string | undefined;
  readonly timeoutMs?: number | undefined;
  readonly signal: AbortSignal | undefined;
}

const TIMEOUT_MS = 30_000;
const MAX_ATTEMPTS = 3;
const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 5_000;

/**
 * Posts JSON and returns the response's JSON. Retries status 429 and 5xx and broken connections;
 * everything else rejects with CairnError `unavailable`, an abort with its reason.
 */
export async function postJson(request: PostRequest): Promise<unknown> {
  for (let attempt = 1; ; attempt++) {
    const outcome = await attemptPost(request);
    if ("json" in outcome) return outcome.json;
    if (!outcome.retry || attempt === MAX_ATTEMPTS) throw failureError(request, outcome.reason);
    const pause = outcome.pauseMs ?? FIRST_PAUSE_MS * 4 ** (attempt - 1);
    await sleep(Math.min(pause, MAX_PAUSE_MS), request.signal);
  }
}

type Outcome =
  | { readonly json: unknown }
  | { readonly retry: boolean; readonly reason: string; readonly pauseMs?: number };

async function attemptPost(request: PostRequest): Promise<Outcome> {
  const { timeoutMs = TIMEOUT_MS } = request;
  const timeout = AbortSignal.timeout(timeoutMs);
  const signal = request.signal ? AbortSignal.any([request.signal, timeout]) : timeout;
  try {
    const response = await fetch(request.url, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        ...(request.apiKey && { authorization: `Bearer ${request.apiKey}` }),
      },
      body: JSON.stringify(request.body),
      signal,
    });
    if (response.ok) return { json: (await response.json()) as unknown };
    return await refusalError(response);
  } catch (error) {
    request.signal?.throwIfAborted();
    if (timeout.aborted) {
      return { retry: false, reason: `no response within ${timeoutMs} ms` };
    }
    if (error instanceof SyntaxError) return { retry: false, reason: "the response is not JSON" };
    return { retry: true, reason: connectionMessage(error) };
  }
}

async function refusalError(response: Response): Promise<Outcome> {
  const text = (await response.text()).slice(0, 300).trim();
  const reason = `status ${response.status}${text && `: ${text}`}`;
  const retry = response.status === 429 || response.status >= 500;
  const seconds = Number.parseFloat(response.headers.get("retry-after") ?? "");
  return Number.isFinite(seconds) ? { retry, reason, pauseMs: seconds * 1000 } : { retry, reason };
}

/** `fetch` hides system errors such as ECONNREFUSED in the cause. */
function connectionMessage(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  return [messageOf(error), code, cause === undefined ? "" : messageOf(cause)]
    .filter((part) => part !== "")
    .join(" ");
}

function failureError({ url }: PostRequest, reason: string): CairnError {
  return new CairnError(
    "unavailable",
    `the embedding server at ${url} failed (${reason}); check embedding.baseUrl, embedding.model ` +
      "and embedding.apiKey, or set embedding.provider to minilm",
  );
}
