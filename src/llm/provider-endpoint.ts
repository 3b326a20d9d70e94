import type { LanguageModel, streamText } from "ai";
import type { AskedEffort } from "./effort.ts";

export interface ProviderEndpoint {
  readonly model: string;
  readonly baseUrl: string | undefined;
  readonly apiKey: string | undefined;
  /** The key goes into this header instead of `Authorization`. */
  readonly keyHeader?: string | undefined;
  readonly asked: AskedEffort;
  readonly contextWindow?: number | undefined;
  readonly fetch: typeof globalThis.fetch;
}

export type CacheForm =
  /** Marks behind tools and system and along the conversation, in the options of this library. */
  { readonly marks: "anthropic" | "openrouter" } | { readonly key: "openai" };

export interface LoadedModel {
  readonly model: LanguageModel;
  readonly imagesInResults?: true;
  /** Sent with every request. */
  readonly options?: NonNullable<Parameters<typeof streamText>[0]["providerOptions"]>;
  readonly cache?: CacheForm;
  readonly forgetsThought?: true;
}
