import { invalidInput } from "../../shared/errors.ts";
import { chatEffort } from "../effort.ts";
import type { Service } from "../profiles/service.ts";
import type { LoadedModel, ProviderEndpoint } from "../provider-endpoint.ts";
import { normalizedChatFetch } from "./chat-stream.ts";

/** Any server with `POST <base url>/chat/completions`; sends no header without a key. */
export async function loadChat(
  endpoint: ProviderEndpoint,
  service: Pick<Service, "takesThoughtBack">,
): Promise<LoadedModel> {
  const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
  const { apiKey, baseUrl, keyHeader, fetch, requestedEffort } = endpoint;
  // A key made for one service is never sent to another's address.
  if (baseUrl === undefined) {
    throw invalidInput(
      '"baseUrl" (CAIRN_BASE_URL) is missing: set it to the URL of the chat completions API.',
    );
  }
  const provider = createOpenAICompatible({
    name: "openai-compatible",
    baseURL: baseUrl,
    includeUsage: true,
    fetch: normalizedChatFetch(fetch),
    ...(apiKey !== undefined &&
      (keyHeader === undefined ? { apiKey } : { headers: { [keyHeader]: apiKey } })),
  });
  return {
    model: provider(endpoint.model),
    options: { openaiCompatible: chatEffort(requestedEffort) },
    ...(service.takesThoughtBack !== true && { forgetsThought: true }),
  };
}
