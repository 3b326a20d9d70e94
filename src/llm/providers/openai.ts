import type { LanguageModel } from "ai";
import type { ProviderEndpoint } from "../provider-endpoint.ts";

/**
 * The responses API of OpenAI itself; another base URL means a server that imitates OpenAI, and
 * what those imitate is the chat-completions API.
 */
export async function loadOpenAi(endpoint: ProviderEndpoint): Promise<LanguageModel> {
  const { createOpenAI } = await import("@ai-sdk/openai");
  const provider = createOpenAI({
    ...(endpoint.apiKey === undefined ? {} : { apiKey: endpoint.apiKey }),
    ...(endpoint.baseUrl === undefined ? {} : { baseURL: endpoint.baseUrl }),
  });
  return endpoint.baseUrl === undefined
    ? provider.responses(endpoint.model)
    : provider.chat(endpoint.model);
}
