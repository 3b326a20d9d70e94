import { invalidInput } from "../shared/errors.ts";
import { chatEffort, geminiEffort, responsesEffort, routedEffort } from "./effort.ts";
import { baseModelName } from "./profiles/find-model.ts";
import type { ApiForm, Service } from "./profiles/service.ts";
import type { LoadedModel, ProviderEndpoint } from "./provider-endpoint.ts";
import { loadBedrock } from "./providers/bedrock.ts";
import { loadChat } from "./providers/chat.ts";
import { normalizedChatFetch } from "./providers/chat-stream.ts";
import { loadMessages, toMessages } from "./providers/messages.ts";
import { loadOllama } from "./providers/ollama.ts";

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

/** Throws invalid_input if a customer-specific address is missing. */
export async function loadModel(
  service: Service,
  endpoint: ProviderEndpoint,
  api: ApiForm | undefined,
): Promise<LoadedModel> {
  const { exampleUrl, keyHeader } = service;
  if (exampleUrl !== undefined && endpoint.baseUrl === undefined) {
    throw invalidInput(
      `"baseUrl" (CAIRN_BASE_URL) is missing: ${service.label} assigns one to each customer, such as ${exampleUrl}.`,
    );
  }
  const isClaude = baseModelName(endpoint.model).startsWith("claude-");
  const otherForm = endpoint.baseUrl === undefined ? undefined : service.apiAtOtherUrls;
  const usual = (isClaude ? service.apiOfClaude : undefined) ?? otherForm ?? service.api;
  const baseUrl = endpoint.baseUrl ?? service.baseUrl;
  return LOADERS[api ?? usual]({ ...endpoint, baseUrl, keyHeader }, service);
}

async function loadGroq(endpoint: ProviderEndpoint): Promise<LoadedModel> {
  const { createGroq } = await import("@ai-sdk/groq");
  const { apiKey, baseUrl, fetch, requestedEffort } = endpoint;
  const provider = createGroq({
    ...(apiKey !== undefined && { apiKey }),
    ...(baseUrl !== undefined && { baseURL: baseUrl }),
    fetch: normalizedChatFetch(fetch),
  });
  const model = provider(endpoint.model);
  return { model, forgetsThought: true, options: { groq: chatEffort(requestedEffort) } };
}

/**
 * Responses of reasoning models are lists of parts that only this library supports. The model name
 * selects reasoning, as in `magistral`.
 */
async function loadMistral(endpoint: ProviderEndpoint): Promise<LoadedModel> {
  const { createMistral } = await import("@ai-sdk/mistral");
  const { apiKey, baseUrl, fetch } = endpoint;
  const provider = createMistral({
    ...(apiKey !== undefined && { apiKey }),
    ...(baseUrl !== undefined && { baseURL: baseUrl }),
    fetch,
  });
  return { model: provider(endpoint.model), forgetsThought: true };
}

async function loadResponses(endpoint: ProviderEndpoint): Promise<LoadedModel> {
  const { createOpenAI } = await import("@ai-sdk/openai");
  const { apiKey, baseUrl, keyHeader, fetch, requestedEffort } = endpoint;
  const provider = createOpenAI({
    ...(apiKey !== undefined && { apiKey }),
    ...(apiKey !== undefined && keyHeader !== undefined && { headers: { [keyHeader]: apiKey } }),
    ...(baseUrl !== undefined && { baseURL: baseUrl }),
    fetch,
  });
  return {
    model: provider.responses(endpoint.model),
    imagesInResults: true,
    cache: { key: "openai" },
    options: { openai: { store: false, ...responsesEffort(requestedEffort) } },
  };
}

/** Reasoning is sent back as OpenRouter's `reasoning_details` with signatures. */
async function loadOpenRouter(endpoint: ProviderEndpoint): Promise<LoadedModel> {
  const { createOpenRouter } = await import("@openrouter/ai-sdk-provider");
  const { apiKey, baseUrl, fetch, requestedEffort } = endpoint;
  const provider = createOpenRouter({
    ...(apiKey !== undefined && { apiKey }),
    ...(baseUrl !== undefined && { baseURL: baseUrl }),
    compatibility: "strict",
    fetch,
  });
  // Other models cache automatically.
  const isCachedOnDemand = baseModelName(endpoint.model).startsWith("claude-");
  return {
    model: provider(endpoint.model),
    options: { openrouter: routedEffort(requestedEffort) },
    ...(isCachedOnDemand && { cache: { marks: "openrouter" } as const }),
  };
}

/** Gemini and Claude with Google application-default credentials. */
async function loadVertex(endpoint: ProviderEndpoint): Promise<LoadedModel> {
  const { apiKey, baseUrl, fetch, model, requestedEffort } = endpoint;
  const settings = { ...(baseUrl !== undefined && { baseURL: baseUrl }), fetch };
  if (baseModelName(model).startsWith("claude-")) {
    const { createVertexAnthropic } = await import("@ai-sdk/google-vertex/anthropic");
    const shared = toMessages({ ...endpoint, baseUrl: "vertex" });
    return { model: createVertexAnthropic(settings)(model), ...shared };
  }
  const { createVertex } = await import("@ai-sdk/google-vertex");
  const provider = createVertex({ ...settings, ...(apiKey !== undefined && { apiKey }) });
  const thinking = geminiEffort(requestedEffort);
  return {
    model: provider(model),
    ...imageSupport(model),
    options: { vertex: thinking, google: thinking },
  };
}

async function loadGemini(endpoint: ProviderEndpoint): Promise<LoadedModel> {
  const { createGoogleGenerativeAI } = await import("@ai-sdk/google");
  const { apiKey, baseUrl, fetch, requestedEffort } = endpoint;
  const provider = createGoogleGenerativeAI({
    ...(apiKey !== undefined && { apiKey }),
    ...(baseUrl !== undefined && { baseURL: baseUrl }),
    fetch,
  });
  const options = { google: geminiEffort(requestedEffort) };
  return { model: provider(endpoint.model), ...imageSupport(endpoint.model), options };
}

/** Before Gemini 3, tool results are text only. */
function imageSupport(model: string): Pick<LoadedModel, "imagesInResults"> {
  return /^gemini-[12]/.test(baseModelName(model)) ? {} : { imagesInResults: true };
}
