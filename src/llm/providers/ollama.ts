import { LEVELS_WITH_NONE } from "../profiles/effort-form.ts";
import type { LoadedModel, ProviderEndpoint } from "../provider-endpoint.ts";
import { loadChat } from "./chat.ts";

const DEFAULT_ADDRESS = "http://127.0.0.1:11434";

/** Ollama through its chat-completions endpoint. */
export function loadOllama(endpoint: ProviderEndpoint): Promise<LoadedModel> {
  const baseUrl = `${ollamaAddress(endpoint.baseUrl)}/v1`;
  const asked = { ...endpoint.asked, form: LEVELS_WITH_NONE };
  return loadChat({ ...endpoint, baseUrl, asked }, {});
}

/** The server's address, whether the setting names it with or without `/v1`. */
export function ollamaAddress(baseUrl: string | undefined): string {
  return (baseUrl ?? DEFAULT_ADDRESS).replace(/\/+$/, "").replace(/\/v1$/, "");
}
