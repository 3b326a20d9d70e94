import type { LoadedModel, ProviderEndpoint } from "../provider-endpoint.ts";
import { loadOpenAiCompatible } from "./openai-compatible.ts";

const DEFAULT_ADDRESS = "http://127.0.0.1:11434";

/** Ollama through its chat-completions endpoint. */
export function loadOllama(endpoint: ProviderEndpoint): Promise<LoadedModel> {
  return loadOpenAiCompatible({ ...endpoint, baseUrl: `${ollamaAddress(endpoint.baseUrl)}/v1` });
}

/** The server's address, whether the setting names it with or without `/v1`. */
export function ollamaAddress(baseUrl: string | undefined): string {
  return (baseUrl ?? DEFAULT_ADDRESS).replace(/\/+$/, "").replace(/\/v1$/, "");
}
