import type { ModelMessage } from "ai";
import { CairnError, messageOf } from "../shared/errors.ts";
import { isPlainObject } from "../shared/json.ts";
import { stripControlLine } from "../shared/text.ts";
import type { Effort } from "./effort.ts";
import type { CountedTokens } from "./price.ts";
import type { Price } from "./profiles/find-model.ts";
import { SERVICES } from "./profiles/services.ts";
import { ollamaAddress } from "./providers/ollama-server.ts";
import type { LlmSettings } from "./settings.ts";

export type ProviderName = LlmSettings["provider"];

export interface ModelClient {
  readonly provider: ProviderName;
  readonly model: string;
  prepare(): Promise<void>;
  readonly effort: Effort | undefined;
  readonly seesImages: boolean;
  readonly price: Price | undefined;
  /** Date of windows and prices, as a day or ISO 8601 time. */
  readonly knownAt: string;
  withEffort(effort: Effort): ModelClient;
  /** Throws a CairnError if the provider cannot list models. */
  models(signal: AbortSignal): Promise<readonly string[]>;
  withModel(model: string): ModelClient;
  /** Tokens; undefined if unknown. Cached. */
  contextWindow(signal: AbortSignal): Promise<number | undefined>;
  /**
   * Sends one request. Transient failures are retried while nothing was shown or `onRestart` can
   * discard it. Throws a CairnError or the signal's reason.
   */
  answer(request: ModelRequest): Promise<ModelAnswer>;
}

export interface ModelRequest {
  readonly system: string;
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly ToolDefinition[];
  /** "none": the conversation uses tools, but the response must be text. */
  readonly toolChoice?: "none";
  readonly signal: AbortSignal;
  readonly onText?: (text: string) => void;
  /** The response broke off and restarts from the beginning. */
  readonly onRestart?: () => void;
  readonly onReasoning?: (text: string) => void;
  /** Progress of a call's arguments, in characters. */
  readonly onToolInput?: (name: string, added: number) => void;
  readonly onRetry?: (message: string) => void;
  readonly onImagesRefused?: () => void;
  readonly onFailedAttempt?: (failure: FailedAttempt) => void;
  readonly onNextAttempt?: () => void;
  readonly maxOutputTokens?: number;
}

export interface FailedAttempt {
  /** True if the provider had started processing. */
  readonly isBilled: boolean;
}

export interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: object;
}

export interface ModelAnswer {
  readonly message: Extract<ModelMessage, { role: "assistant" }>;
  readonly text: string;
  readonly toolCalls: readonly RequestedToolCall[];
  readonly usage: CountedTokens;
  readonly cut?: "length" | "filter" | "refused" | "size" | undefined;
}

export interface RequestedToolCall {
  readonly callId: string;
  readonly name: string;
  readonly input: Record<string, unknown>;
  /** Parse error of the arguments; `input` then contains the raw text. */
  readonly malformed?: string;
}

const RESPONSE_TIMEOUT_MS = 10_000;
const MAX_MODELS = 2_000;

interface ModelListRequest {
  readonly provider: ProviderName;
  readonly baseUrl: string | undefined;
  readonly apiKey: string | undefined;
  readonly fetch?: typeof globalThis.fetch;
}

export async function listModels(
  question: ModelListRequest,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const { url, headers } = createRequest(question);
  const { fetch: send = fetch } = question;
  try {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(RESPONSE_TIMEOUT_MS)]);
    const response = await send(url, { headers, signal: limit });
    if (!response.ok) throw new Error(`status ${response.status}`);
    const body: unknown = await response.json();
    return parseNames(body);
  } catch (error) {
    signal.throwIfAborted();
    const { apiKey } = question;
    const text = messageOf(error);
    const reason = apiKey === undefined ? text : text.replaceAll(apiKey, "***");
    throw new CairnError(
      "unavailable",
      `${question.provider} does not list its models (${stripControlLine(reason)}).`,
    );
  }
}

function createRequest({ provider, baseUrl, apiKey }: ModelListRequest): {
  readonly url: string;
  readonly headers: Record<string, string>;
} {
  const { api, label, models, ...service } = SERVICES[provider];
  const own = models?.baseUrl ?? service.baseUrl;
  const address = api === "ollama" ? ollamaAddress(baseUrl) : (baseUrl ?? own);
  // A key made for one service is never sent to another's address.
  if (address === undefined) {
    throw new CairnError(
      "unavailable",
      `${label} does not list its models without "baseUrl" (CAIRN_BASE_URL).`,
    );
  }
  const keyHeader = models?.keyHeader ?? service.keyHeader;
  const name = keyHeader ?? "authorization";
  const value = keyHeader === undefined ? `Bearer ${apiKey}` : apiKey;
  return {
    url: `${normalizeBaseUrl(address)}${models?.path ?? "/models"}`,
    headers: {
      ...models?.headers,
      ...(value !== undefined && apiKey !== undefined && { [name]: value }),
    },
  };
}

function normalizeBaseUrl(url: string): string {
  return url.replace(/\/+$/, "");
}

function parseNames(body: unknown): readonly string[] {
  const list = isPlainObject(body) ? (body.data ?? body.models) : body;
  if (!Array.isArray(list)) throw new Error("the response contains no list");
  const names = list.flatMap((model: unknown) => {
    const name = isPlainObject(model) ? (model.id ?? model.name) : model;
    return typeof name === "string" ? [stripControlLine(name.replace(/^models\//, ""))] : [];
  });
  return [...new Set(names)].sort().slice(0, MAX_MODELS);
}
