import type { ModelMessage } from "ai";
import type { Effort } from "./effort.ts";
import type { CountedTokens } from "./price.ts";
import type { Price } from "./profiles/model-price.ts";
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
