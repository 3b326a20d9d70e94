import { chatEffort, openAiEffort } from "../effort.ts";
import type { LoadedModel, ProviderEndpoint } from "../provider-endpoint.ts";

/**
 * The responses API of OpenAI itself; another base URL means a server that imitates OpenAI, and
 * what those imitate is the chat-completions API.
 */
export async function loadOpenAi(endpoint: ProviderEndpoint): Promise<LoadedModel> {
  const { createOpenAI } = await import("@ai-sdk/openai");
  const provider = createOpenAI({
    ...(endpoint.apiKey !== undefined && { apiKey: endpoint.apiKey }),
    ...(endpoint.baseUrl !== undefined && { baseURL: endpoint.baseUrl }),
  });
  if (endpoint.baseUrl !== undefined) {
    return {
      model: provider.chat(endpoint.model),
      options: { openai: chatEffort(endpoint.effort) },
    };
  }
  // The conversation is kept here, so nothing of it needs to be kept there.
  return {
    model: provider.responses(endpoint.model),
    imagesInResults: true,
    options: { openai: { store: false, ...openAiEffort(endpoint.effort) } },
  };
}
