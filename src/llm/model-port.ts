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

/** One model behind one provider. */
export interface ModelClient {
  readonly provider: ProviderName;
  readonly model: string;
  /** Loads the provider's library ahead of the first request. Never rejects. */
  prepare(): Promise<void>;
  /** How much it was told to think; undefined: as the provider does. */
  readonly effort: Effort | undefined;
  readonly seesImages: boolean;
  readonly price: Price | undefined;
  /** When windows and prices were read or refreshed: a day, or a time in ISO 8601. */
  readonly knownAt: string;
  withEffort(effort: Effort): ModelClient;
  /** Names of what the provider has. Throws a CairnError when it does not say. */
  models(signal: AbortSignal): Promise<readonly string[]>;
  withModel(model: string): ModelClient;
  /** Tokens; undefined when neither config, provider nor table knows. Looked up once. */
  contextWindow(signal: AbortSignal): Promise<number | undefined>;
  /**
   * One model request. Failures that may pass are retried as long as nothing was shown, or what was
   * shown can be taken back (`onRestart`). Throws a
   * CairnError fit to show, or the signal's reason.
   */
  answer(request: ModelRequest): Promise<ModelAnswer>;
}

export interface ModelRequest {
  readonly system: string;
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly ToolDefinition[];
  /** "none": the tools are known from the conversation, but text is wanted. */
  readonly toolChoice?: "none";
  readonly signal: AbortSignal;
  readonly onText?: (text: string) => void;
  /** The answer broke off in the middle and is asked for again: `onText` begins anew. */
  readonly onRestart?: () => void;
  readonly onReasoning?: (text: string) => void;
  /** More of the arguments of a call has come; characters. */
  readonly onToolInput?: (name: string, added: number) => void;
  readonly onRetry?: (message: string) => void;
  /** The service refused the images of the request, which is repeated without them. */
  readonly onImagesRefused?: () => void;
  /** An attempt failed and will be repeated. */
  readonly onFailedAttempt?: (failure: FailedAttempt) => void;
  /** The request is about to be repeated. What it throws ends the request. */
  readonly onNextAttempt?: () => void;
  /** Tokens, thinking included; default: the provider's own limit. */
  readonly maxOutputTokens?: number;
}

export interface FailedAttempt {
  /** The provider had begun to work on it, so it may cost something. */
  readonly isBilled: boolean;
}

/** A tool as the model sees it. */
export interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of an object. */
  readonly inputSchema: object;
}

export interface ModelAnswer {
  readonly message: Extract<ModelMessage, { role: "assistant" }>;
  readonly text: string;
  readonly toolCalls: readonly RequestedToolCall[];
  /** Zeros when the provider does not count. */
  readonly usage: CountedTokens;
  readonly cut?: "length" | "filter" | "refused" | "size" | undefined;
}

export interface RequestedToolCall {
  readonly callId: string;
  readonly name: string;
  readonly input: Record<string, unknown>;
  /** Why the arguments could not be read; `input` then holds them as text. */
  readonly malformed?: string;
}

const ANSWER_MS = 10_000;
const MAX_MODELS = 2_000;

interface ModelListQuestion {
  readonly provider: ProviderName;
  readonly baseUrl: string | undefined;
  readonly apiKey: string | undefined;
  /** Default: Node.js's own. */
  readonly fetch?: typeof globalThis.fetch;
}

/** Names of the models that the provider has, sorted. Throws a CairnError when it does not say. */
export async function listModels(
  question: ModelListQuestion,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const { url, headers } = requestOf(question);
  const { fetch: send = fetch } = question;
  try {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]);
    const response = await send(url, { headers, signal: limit });
    if (!response.ok) throw new Error(`status ${response.status}`);
    const body: unknown = await response.json();
    return namesIn(body);
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

function requestOf({ provider, baseUrl, apiKey }: ModelListQuestion): {
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
    url: `${base(address)}${models?.path ?? "/models"}`,
    headers: {
      ...models?.headers,
      ...(value !== undefined && apiKey !== undefined && { [name]: value }),
    },
  };
}

function base(url: string): string {
  return url.replace(/\/+$/, "");
}

function namesIn(body: unknown): readonly string[] {
  const list = isPlainObject(body) ? (body.data ?? body.models) : body;
  if (!Array.isArray(list)) throw new Error("the answer holds no list");
  const names = list.flatMap((model: unknown) => {
    const name = isPlainObject(model) ? (model.id ?? model.name) : model;
    return typeof name === "string" ? [stripControlLine(name.replace(/^models\//, ""))] : [];
  });
  return [...new Set(names)].sort().slice(0, MAX_MODELS);
}
