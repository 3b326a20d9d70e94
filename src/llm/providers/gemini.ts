import { geminiEffort } from "../effort.ts";
import { bareName } from "../profiles/find-model.ts";
import type { LoadedModel, ProviderEndpoint } from "../provider-endpoint.ts";

export async function loadGemini(endpoint: ProviderEndpoint): Promise<LoadedModel> {
  const { createGoogleGenerativeAI } = await import("@ai-sdk/google");
  const { apiKey, baseUrl, fetch, asked } = endpoint;
  const provider = createGoogleGenerativeAI({
    ...(apiKey !== undefined && { apiKey }),
    ...(baseUrl !== undefined && { baseURL: baseUrl }),
    fetch,
  });
  const options = { google: geminiEffort(asked) };
  return { model: provider(endpoint.model), ...imagesOf(endpoint.model), options };
}

/** Before Gemini 3 the result of a tool is text alone. */
export function imagesOf(model: string): Pick<LoadedModel, "imagesInResults"> {
  return /^gemini-[12]/.test(bareName(model)) ? {} : { imagesInResults: true };
}
