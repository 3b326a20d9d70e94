import { messagesEffort } from "../effort.ts";
import type { LoadedModel, ProviderEndpoint } from "../provider-endpoint.ts";

export async function loadMessages(endpoint: ProviderEndpoint): Promise<LoadedModel> {
  const { createAnthropic } = await import("@ai-sdk/anthropic");
  const { apiKey, baseUrl, fetch } = endpoint;
  const provider = createAnthropic({
    ...(apiKey !== undefined && { apiKey }),
    ...(baseUrl !== undefined && { baseURL: baseUrl }),
    fetch,
  });
  return { model: removeBetaHeaders(provider(endpoint.model)), ...toMessages(endpoint) };
}

export function toMessages({
  requestedEffort,
  baseUrl,
}: ProviderEndpoint): Omit<LoadedModel, "model"> {
  const anthropic = {
    ...messagesEffort(requestedEffort),
    ...(baseUrl !== undefined && { toolStreaming: false }),
    ...(requestedEffort.form?.form === "budget" &&
      requestedEffort.effort !== undefined &&
      requestedEffort.effort !== "off" && { anthropicBeta: ["interleaved-thinking-2025-05-14"] }),
  };
  return { imagesInResults: true, cache: { marks: "anthropic" }, options: { anthropic } };
}

/**
 * Removes the structured-outputs beta flag that the library adds with every tool (a header, or a
 * field on Bedrock). It is unused here, and clouds and gateways reject it.
 */
export function removeBetaHeaders<Model extends object>(model: Model): Model {
  const { config } = model as { readonly config?: object };
  if (config !== undefined) Object.assign(config, { supportsNativeStructuredOutput: false });
  return model;
}
