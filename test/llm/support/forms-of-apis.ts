import type { LlmSettings } from "../../../src/llm/index.ts";
import type { Framing } from "./faulty-proxy.ts";
import { frame } from "./providers/event-stream.ts";
import {
  type StrictService,
  startStrictBedrock,
  startStrictChat,
  startStrictGemini,
  startStrictMessages,
  startStrictOllama,
  startStrictResponses,
} from "./providers/index.ts";

/** One API, with its representation of stream faults. */
export interface ApiForm {
  readonly settings: Partial<LlmSettings>;
  readonly start: () => Promise<StrictService>;
  readonly framing: Framing;
  /** Events without content: pings, empty deltas, unknown types. */
  readonly empty: readonly Buffer[];
  /** A transient error within a stream. */
  readonly passing: Buffer;
  /** A permanent error. */
  readonly lasting: Buffer;
  readonly refusal: (message: string) => unknown;
}

const steps = 2;
const sse = (data: object, name?: string) =>
  Buffer.from(`${name === undefined ? "" : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`);
const ping = Buffer.from(": ping\n\n");
const BUSY = "The service is busy";
const TOO_LONG = "The prompt is too long";

const chunk = (choices: readonly object[]) =>
  sse({ id: "c", object: "chat.completion.chunk", created: 1, model: "m", choices });
const openAiError = (message: string, type: string) => ({ error: { message, type, code: null } });

const CHAT: Omit<ApiForm, "settings" | "start"> = {
  framing: "server-sent",
  empty: [
    ping,
    chunk([]),
    chunk([{ index: 0, delta: {}, finish_reason: null }]),
    chunk([{ index: 0, delta: { content: "" }, finish_reason: null }]),
  ],
  passing: sse(openAiError(BUSY, "server_error")),
  lasting: sse(openAiError(TOO_LONG, "invalid_request_error")),
  refusal: (message) => openAiError(message, "rate_limit_error"),
};

const claudeError = (type: string, message: string) => ({
  type: "error",
  error: { type, message },
});
const MESSAGES: Omit<ApiForm, "settings" | "start"> = {
  framing: "server-sent",
  empty: [ping, sse({ type: "ping" }, "ping")],
  passing: sse(claudeError("overloaded_error", "Overloaded"), "error"),
  lasting: sse(claudeError("invalid_request_error", TOO_LONG), "error"),
  refusal: (message) => claudeError("rate_limit_error", message),
};

const failed = (code: string, message: string) => {
  const response = { id: "r", object: "response", status: "failed", error: { code, message } };
  return sse({ type: "response.failed", sequence_number: 5, response }, "response.failed");
};
const googleError = (code: number, status: string, message: string) => ({
  error: { code, status, message },
});
const candidate = (content: object) => sse({ candidates: [{ content, index: 0 }] });
const inFrame = (data: object) =>
  frame("chunk", { bytes: Buffer.from(JSON.stringify(data)).toString("base64") });
const awsRefusal = (message: string) => ({ message });

export const FORMS: Readonly<Record<string, ApiForm>> = {
  "chat completions": {
    ...CHAT,
    settings: { provider: "openai-compatible" },
    start: () => startStrictChat({ steps }),
  },
  groq: { ...CHAT, settings: { provider: "groq" }, start: () => startStrictChat({ steps }) },
  mistral: {
    ...CHAT,
    settings: { provider: "mistral" },
    start: () =>
      startStrictChat({ steps, usageAtEnd: true, fields: ["safe_prompt", "random_seed"] }),
    empty: CHAT.empty.filter((_one, index) => index !== 1),
  },
  openrouter: {
    ...CHAT,
    settings: { provider: "openrouter", model: "google/gemini-3.1-pro" },
    start: () =>
      startStrictChat({
        steps,
        thinksIn: "reasoning_details",
        thoughtBack: "reasoning_details",
        fields: ["reasoning", "usage"],
      }),
    passing: sse({
      ...{ id: "c", object: "chat.completion.chunk", created: 1, model: "m", provider: "p" },
      error: { code: 502, message: BUSY },
      choices: [{ index: 0, delta: { content: "" }, finish_reason: "error" }],
    }),
  },
  responses: {
    settings: { provider: "openai", model: "gpt-5", api: "responses" },
    start: () => startStrictResponses({ efforts: [], steps }),
    framing: "server-sent",
    empty: [ping, sse({ type: "response.of.a.later.version", sequence_number: 1 })],
    passing: failed("server_error", BUSY),
    lasting: failed("invalid_prompt", TOO_LONG),
    refusal: (message) => openAiError(message, "rate_limit_error"),
  },
  messages: {
    ...MESSAGES,
    settings: { provider: "anthropic", model: "claude-sonnet-4-5" },
    start: () => startStrictMessages({ thinking: "budget", steps }),
  },
  gemini: {
    settings: { provider: "google", model: "gemini-3.1-pro-preview" },
    start: () => startStrictGemini({ thinking: [], signed: true, steps }),
    framing: "server-sent",
    empty: [
      ping,
      sse({ usageMetadata: { promptTokenCount: 1, totalTokenCount: 1 } }),
      candidate({ role: "model" }),
      candidate({ role: "model", parts: [] }),
      candidate({ role: "model", parts: [{ text: "" }] }),
    ],
    passing: sse(googleError(503, "UNAVAILABLE", BUSY)),
    lasting: sse(googleError(400, "INVALID_ARGUMENT", TOO_LONG)),
    refusal: (message) => googleError(429, "RESOURCE_EXHAUSTED", message),
  },
  "Claude at Bedrock": {
    settings: { provider: "bedrock", model: "anthropic.claude-sonnet-4-5-v1:0" },
    start: () => startStrictBedrock({ claude: { thinking: "budget" }, steps }),
    framing: "frames",
    empty: [inFrame({ type: "ping" })],
    passing: frame("throttlingException", { message: BUSY }, "exception"),
    lasting: frame("validationException", { message: TOO_LONG }, "exception"),
    refusal: awsRefusal,
  },
  Converse: {
    settings: { provider: "bedrock", model: "openai.gpt-oss-120b-1:0" },
    start: () => startStrictBedrock({ fields: [], steps }),
    framing: "frames",
    empty: [frame("contentBlockDelta", { contentBlockIndex: 0, delta: { text: "" } })],
    passing: frame("modelStreamErrorException", { message: BUSY }, "exception"),
    lasting: frame("validationException", { message: TOO_LONG }, "exception"),
    refusal: awsRefusal,
  },
  Ollama: {
    settings: { provider: "ollama", model: "m" },
    start: () => startStrictOllama({ thinks: "switch", steps }),
    framing: "lines",
    empty: [
      Buffer.from(
        '{"model":"m","created_at":"2026-01-01T00:00:00Z","message":{"role":"assistant","content":""},"done":false}\n',
      ),
    ],
    passing: Buffer.from('{"error":"the model runner has unexpectedly stopped"}\n'),
    lasting: Buffer.from(`{"error":"${TOO_LONG}"}\n`),
    refusal: (error) => ({ error }),
  },
};
