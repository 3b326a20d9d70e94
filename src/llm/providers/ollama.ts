import { isPlainObject } from "../../shared/json.ts";
import type { AskedEffort } from "../effort.ts";
import { LEVELS_WITH_NONE } from "../profiles/effort-form.ts";
import type { LoadedModel, ProviderEndpoint } from "../provider-endpoint.ts";
import { loadChat } from "./chat.ts";
import { ollamaRequest } from "./ollama-request.ts";
import { ollamaAddress, shownModel, wantedWindow } from "./ollama-server.ts";
import { failingAtErrors } from "./ollama-stream.ts";

/**
 * Ollama by its own API, since only that takes the window with which the model runs; a server that
 * has none but chat completions, by those.
 */
export async function loadOllama(endpoint: ProviderEndpoint): Promise<LoadedModel> {
  const { model, apiKey, asked, contextWindow, fetch } = endpoint;
  const address = ollamaAddress(endpoint.baseUrl);
  const server = { address, model, fetch, ...(apiKey !== undefined && { apiKey }) };
  const shown = await shownModel(server, AbortSignal.timeout(ANSWER_MS));
  if (shown === undefined) {
    const spoken = { ...asked, form: LEVELS_WITH_NONE };
    return loadChat({ ...endpoint, baseUrl: `${address}/v1`, asked: spoken }, {});
  }
  const { createOllama } = await import("ollama-ai-provider-v2");
  const fixed = {
    options: { num_ctx: wantedWindow(shown, contextWindow) },
    ...(shown.capabilities.has("thinking") && thinkingOf(model, asked)),
  };
  const provider = createOllama({
    baseURL: `${address}/api`,
    ...(apiKey !== undefined && { headers: { authorization: `Bearer ${apiKey}` } }),
    fetch: async (input, init) => failingAtErrors(await fetch(input, withBody(init, fixed))),
  });
  return { model: provider(model) };
}

/** A server on this machine says at once what it is; milliseconds. */
const ANSWER_MS = 5_000;

/** gpt-oss has levels, the others a switch; who asks for nothing leaves it to the model. */
function thinkingOf(model: string, { effort }: AskedEffort): { think?: boolean | string } {
  if (effort === undefined) return {};
  if (!/^gpt-oss\b/.test(model)) return { think: effort !== "off" };
  return { think: effort === "off" ? "low" : effort };
}

function withBody(init: RequestInit | undefined, fixed: object): RequestInit {
  if (typeof init?.body !== "string") return init ?? {};
  const body: unknown = JSON.parse(init.body);
  if (!isPlainObject(body)) return init;
  return { ...init, body: JSON.stringify(ollamaRequest(body, fixed)) };
}
