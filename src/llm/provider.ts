import { invalidInput } from "../shared/errors.ts";
import { bareName } from "./profiles/find-model.ts";
import type { ApiForm, Service } from "./profiles/service.ts";
import type { LoadedModel, ProviderEndpoint } from "./provider-endpoint.ts";
import { loadBedrock } from "./providers/bedrock.ts";
import { loadChat } from "./providers/chat.ts";
import { loadGemini } from "./providers/gemini.ts";
import { loadGroq } from "./providers/groq.ts";
import { loadMessages } from "./providers/messages.ts";
import { loadMistral } from "./providers/mistral.ts";
import { loadOllama } from "./providers/ollama.ts";
import { loadOpenRouter } from "./providers/openrouter.ts";
import { loadResponses } from "./providers/responses.ts";
import { loadVertex } from "./providers/vertex.ts";

/** Imports a library on first use: a start without a message pays for none. */
type Loader = (endpoint: ProviderEndpoint, service: Service) => Promise<LoadedModel>;

const LOADERS: Readonly<Record<ApiForm, Loader>> = {
  responses: loadResponses,
  chat: loadChat,
  messages: loadMessages,
  gemini: loadGemini,
  mistral: loadMistral,
  groq: loadGroq,
  openrouter: loadOpenRouter,
  bedrock: loadBedrock,
  vertex: loadVertex,
  ollama: loadOllama,
};

/** Throws invalid_input where only the service's customer knows its address. */
export async function loadModel(
  service: Service,
  endpoint: ProviderEndpoint,
  api: ApiForm | undefined,
): Promise<LoadedModel> {
  const { exampleUrl, keyHeader } = service;
  if (exampleUrl !== undefined && endpoint.baseUrl === undefined) {
    throw invalidInput(
      `"baseUrl" (CAIRN_BASE_URL) is missing: ${service.label} has one for each customer, such as ${exampleUrl}.`,
    );
  }
  const isClaude = bareName(endpoint.model).startsWith("claude-");
  const elsewhere = endpoint.baseUrl === undefined ? undefined : service.apiElsewhere;
  const usual = (isClaude ? service.apiOfClaude : undefined) ?? elsewhere ?? service.api;
  const baseUrl = endpoint.baseUrl ?? service.baseUrl;
  return LOADERS[api ?? usual]({ ...endpoint, baseUrl, keyHeader }, service);
}
