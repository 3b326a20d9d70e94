import { createHash } from "node:crypto";
import type { LanguageModel, ModelMessage, SystemModelMessage, streamText } from "ai";
import type { RequestedEffort } from "./effort.ts";

export interface ProviderEndpoint {
  readonly model: string;
  readonly baseUrl: string | undefined;
  readonly apiKey: string | undefined;
  /** Header for the key instead of `Authorization`. */
  readonly keyHeader?: string | undefined;
  readonly requestedEffort: RequestedEffort;
  readonly contextWindow?: number | undefined;
  readonly fetch: typeof globalThis.fetch;
}

export type CacheForm =
  /** Cache markers after tools, system and conversation steps. */
  { readonly marks: "anthropic" | "openrouter" } | { readonly key: "openai" };

export interface LoadedModel {
  readonly model: LanguageModel;
  readonly imagesInResults?: true;
  readonly options?: NonNullable<Parameters<typeof streamText>[0]["providerOptions"]>;
  readonly cache?: CacheForm;
  readonly forgetsThought?: true;
}

type Options = NonNullable<Parameters<typeof streamText>[0]["providerOptions"]>;

interface Prompt {
  readonly system: string | SystemModelMessage;
  readonly messages: ModelMessage[];
  readonly options: Options | undefined;
}

/**
 * Adds cache markers after tools and system, which threads share, and after the last two steps: the
 * lookback is limited to a few blocks, fewer than a step with many calls.
 */
export function addCacheMarkers(
  { cache, options }: LoadedModel,
  { system, messages }: { system: string; messages: readonly ModelMessage[] },
): Prompt {
  if (cache === undefined) return { system, messages: [...messages], options };
  if ("key" in cache) {
    const promptCacheKey = createHash("sha256").update(system).digest("hex").slice(0, 32);
    const own = { ...options?.[cache.key], promptCacheKey };
    return { system, messages: [...messages], options: { ...options, [cache.key]: own } };
  }
  const cacheMarker = { [cache.marks]: { cacheControl: { type: "ephemeral" } } };
  const marked = new Set(findStepEnds(messages).slice(-2));
  return {
    system: { role: "system", content: system, providerOptions: cacheMarker },
    messages: messages.map((message, index) =>
      marked.has(index)
        ? { ...message, providerOptions: { ...message.providerOptions, ...cacheMarker } }
        : message,
    ),
    options,
  };
}

/** Message indexes at which a model responded or is to respond. */
function findStepEnds(messages: readonly ModelMessage[]): number[] {
  return messages.flatMap(({ role }, index) => {
    const next = messages[index + 1];
    return role !== "assistant" && (next === undefined || next.role === "assistant") ? [index] : [];
  });
}
