import type { LanguageModel, streamText } from "ai";
import type { AskedEffort } from "./effort.ts";

/** Where a request goes. */
export interface ProviderEndpoint {
  readonly model: string;
  readonly baseUrl: string | undefined;
  readonly apiKey: string | undefined;
  /** The key goes into this header instead of `Authorization`. */
  readonly keyHeader?: string | undefined;
  readonly asked: AskedEffort;
  /** From the config, for servers that are told how much to take; tokens. */
  readonly contextWindow?: number | undefined;
  /** Sends requests: through a proxy, with a person's headers, without fields that were refused. */
  readonly fetch: typeof globalThis.fetch;
}

/** How what stays the same of a conversation is not paid for again. */
export type CacheForm =
  /** Marks behind tools and system and along the conversation, in the options of this library. */
  | { readonly marks: "anthropic" | "openrouter" }
  /** One key for all requests that begin alike. */
  | { readonly key: "openai" };

export interface LoadedModel {
  readonly model: LanguageModel;
  /** Images may stand in the results of tools. */
  readonly imagesInResults?: true;
  /** Sent with every request. */
  readonly options?: NonNullable<Parameters<typeof streamText>[0]["providerOptions"]>;
  readonly cache?: CacheForm;
  /** What the model thought is left out of what is sent back: the service refuses it. */
  readonly forgetsThought?: true;
}
