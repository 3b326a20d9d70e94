import {
  CairnError,
  causesOf,
  isCairnError,
  messageOf,
  systemErrorCode,
} from "../shared/errors.ts";
import { isPlainObject } from "../shared/json.ts";
import { shortenLine } from "../shared/text.ts";

/** Node's fetch and the SDK name a broken connection or stream only in their messages. */
const CONNECTION_ERROR =
  /terminated|fetch failed|socket|ECONN|network|other side closed|finish reason|JSON parsing failed/i;

/** Connection failures that a repetition cannot cure, by error code or message, with their cure. */
const CONNECTION_FAULTS: readonly { readonly form: RegExp; readonly advice: string }[] = [
  {
    form: /^ERR_SSL_|^EPROTO$/,
    advice:
      'Check whether "baseUrl" (CAIRN_BASE_URL) begins with http:// or https:// as it should.',
  },
  {
    // Names of OpenSSL's verification errors, such as DEPTH_ZERO_SELF_SIGNED_CERT.
    form: /^(?:[A-Z]+_)*CERT(?:_[A-Z]+)*$|^UNABLE_TO_|^ERR_TLS_CERT/,
    advice:
      "The server's certificate is not trusted. If it is your company's, set NODE_EXTRA_CA_CERTS to the file of its authority.",
  },
  {
    form: /Proxy response \(407\)/,
    advice: "The proxy requires a login: HTTPS_PROXY=http://USER:PASSWORD@HOST:PORT.",
  },
];

function findConnectionFault(error: unknown): string | undefined {
  const texts = [...causesOf(error)].flatMap((cause) => [systemErrorCode(cause), cause.message]);
  return CONNECTION_FAULTS.find(({ form }) => texts.some((text) => form.test(text)))?.advice;
}

/** The connection was intact but the response was invalid. */
export class StreamBroken extends Error {
  override readonly name = "StreamBroken";
}

const PERMANENT_ERROR =
  /invalid|unauthori[sz]ed|authentication|forbidden|permission|not.found|quota|billing|unsupported|context.{0,3}(length|window|size)|too (long|large|many tokens)/i;

export class StreamError extends Error {
  override readonly name = "StreamError";
  readonly isTransient: boolean;

  constructor(event: unknown) {
    const text = typeof event === "string" ? event : JSON.stringify(event ?? "no reason given");
    const body = typeof event === "string" ? parseBody(event) : event;
    const hasMessage = isPlainObject(body) && typeof body.message === "string";
    super(hasMessage ? String(body.message) : text);
    this.isTransient = !PERMANENT_ERROR.test(text);
  }
}

function parseBody(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const OVERFLOW_MESSAGE = new RegExp(
  [
    "context_length_exceeded",
    "maximum context length",
    "context (window|size|length)",
    "(prompt|input|request|message)s? (is|are) too (long|large)",
    "input (token count|length).{0,80}exceed",
    "exceeds? the (available|maximum|model'?s?).{0,40}(context|tokens|length)",
    "too many (input )?tokens",
    "reduce the length",
    "(prompt|inputs?)\\b.{0,80}\\b(exceed\\w*|tokens?|length)\\b.{0,80}(max|limit|\\d{4})",
    "inputs?\\b.{0,40}(less|fewer) than \\d{4,} tokens",
    "request exceeded model token limit",
  ].join("|"),
  "i",
);

/** The conversation exceeds the context window. */
export class ContextOverflow extends CairnError {}

function isOverflow({ message, status }: ProviderFailure, error: unknown): boolean {
  if (status === 413) return true;
  const body = isPlainObject(error) ? String(error.responseBody ?? "") : "";
  const mayBe = status === undefined || status === 400 || status === 422;
  return mayBe && (OVERFLOW_MESSAGE.test(message) || OVERFLOW_MESSAGE.test(body));
}

/** The service rejects the content; repeating the request would fail again. */
export class ContentRefused extends CairnError {}

const CONTENT_POLICY_MESSAGE =
  /content.?(filter|policy|management)|safety (system|policy|filter)|moderation|flagged|usage polic|prohibited|invalid_prompt/i;

function isContentRefusal({ message, status }: ProviderFailure, error: unknown): boolean {
  if (status !== 400 && status !== 403 && status !== 422) return false;
  const body = isPlainObject(error) ? String(error.responseBody ?? "") : "";
  return CONTENT_POLICY_MESSAGE.test(message) || CONTENT_POLICY_MESSAGE.test(body);
}

export function isImageRefusal(error: unknown): boolean {
  const { message, status } = describeFailure(error);
  if (status === undefined || ![400, 404, 413, 415, 422].includes(status)) return false;
  const body = isPlainObject(error) ? String(error.responseBody ?? "") : "";
  return /image|multimodal|vision/i.test(`${message} ${body}`);
}

export interface ProviderFailure {
  readonly message: string;
  readonly status: number | undefined;
  readonly transient: boolean;
  readonly retryAfterMs: number | undefined;
}

/** Checks fields rather than the class, because several copies of the SDK may be loaded. */
export function describeFailure(error: unknown, now = Date.now()): ProviderFailure {
  const fields = isPlainObject(error) ? error : {};
  const status = errorStatus(fields.statusCode);
  const headers = isPlainObject(fields.responseHeaders) ? fields.responseHeaders : {};
  return {
    message: plainMessage(shortenLine(messageOfFailure(error), 500), status),
    status,
    transient: isTransient(error, status),
    retryAfterMs: readRetryAfter(headers, now) ?? readRetryDelay(fields.responseBody),
  };
}

/** Replaces internal messages of Node.js and the library. */
function plainMessage(message: string, status: number | undefined): string {
  const isBroken = /terminated|socket hang up|ECONNRESET|EPIPE|other side closed|premature close/i;
  if (status !== undefined || !isBroken.test(message)) return message;
  return "the connection was lost during the response";
}

export interface FailedRequest {
  readonly provider: string;
  readonly model: string;
  /** Redacted if the provider echoes it. */
  readonly secret: string | undefined;
}

export function toShownError(error: unknown, request: FailedRequest): CairnError {
  if (isCairnError(error)) return error;
  const failure = describeFailure(error);
  const { provider, model, secret } = request;
  const text = secret ? failure.message.replaceAll(secret, "***") : failure.message;
  const answered = failure.status === undefined ? "failed" : `answered ${failure.status}`;
  const description = `${provider} (${model}) ${answered}: ${addFullStop(text)}`;
  if (isOverflow(failure, error)) {
    const advice = ' Set "contextWindow" in the config to the context window of the model.';
    return new ContextOverflow("unavailable", description + advice, undefined, { cause: error });
  }
  if (isContentRefusal(failure, error)) {
    const note = " The rejected message was removed from the conversation.";
    return new ContentRefused("unavailable", description + note, undefined, { cause: error });
  }
  const message = `${description}${findAdvice(failure, error)}`;
  return new CairnError("unavailable", message, undefined, { cause: error });
}

function findAdvice({ status, message }: ProviderFailure, error: unknown): string {
  const fault = findConnectionFault(error);
  if (fault !== undefined) return ` ${fault}`;
  if (status === 401 || status === 403) {
    return ' Check CAIRN_API_KEY, or "apiKey" in the config.';
  }
  if (status === 404) return ' Check "model" and "baseUrl" (CAIRN_MODEL, CAIRN_BASE_URL).';
  if (status === 429) return " The provider's rate limit is reached; try again later.";
  if (status === undefined && /connect|fetch failed|ENOTFOUND/i.test(message)) {
    return ' Check that the server is running and "baseUrl" (CAIRN_BASE_URL).';
  }
  return "";
}

function isTransient(error: unknown, status: number | undefined): boolean {
  if (error instanceof StreamBroken) return true;
  if (error instanceof StreamError) return error.isTransient;
  if (status !== undefined)
    return status === 408 || status === 409 || status === 429 || status >= 500;
  if (findConnectionFault(error) !== undefined) return false;
  if (isPlainObject(error) && error.isRetryable === true) return true;
  return CONNECTION_ERROR.test(messageOfFailure(error));
}

/** A broken stream reports its initial status 200. */
function errorStatus(status: unknown): number | undefined {
  return typeof status === "number" && status >= 400 ? status : undefined;
}

function messageOfFailure(error: unknown): string {
  if (isPlainObject(error) && typeof error.message === "string" && error.message !== "") {
    const cause = isPlainObject(error.cause) ? error.cause : {};
    const detail = typeof cause.message === "string" ? cause.message : "";
    return detail === "" || error.message.includes(detail)
      ? error.message
      : `${error.message} (${detail})`;
  }
  return typeof error === "object" && error !== null && !(error instanceof Error)
    ? JSON.stringify(error)
    : messageOf(error);
}

function readRetryAfter(headers: Record<string, unknown>, now: number): number | undefined {
  const milliseconds = Number.parseFloat(String(headers["retry-after-ms"] ?? ""));
  if (milliseconds >= 0) return milliseconds;
  const text = String(headers["retry-after"] ?? "");
  if (/^\d+(\.\d+)?$/.test(text)) return Number.parseFloat(text) * 1000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/** Google sends the delay only in the body. */
function readRetryDelay(body: unknown): number | undefined {
  const [, seconds] = /"retryDelay"\s*:\s*"(\d+(?:\.\d+)?)s"/.exec(String(body ?? "")) ?? [];
  return seconds === undefined ? undefined : Number.parseFloat(seconds) * 1000;
}

function addFullStop(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}
