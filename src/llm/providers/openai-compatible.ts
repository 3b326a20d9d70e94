import { invalidInput } from "../../kernel/errors.ts";
import { chatEffort } from "../effort.ts";
import { PRESETS, type Preset, type PresetName } from "../presets.ts";
import type { LoadedModel, ProviderEndpoint } from "../provider-endpoint.ts";

/** Any server with `POST <base url>/chat/completions`; without a key no header is sent. */
export async function loadOpenAiCompatible(
  endpoint: ProviderEndpoint,
  keyHeader?: string,
): Promise<LoadedModel> {
  const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
  const provider = createOpenAICompatible({
    name: "openai-compatible",
    baseURL: endpoint.baseUrl ?? "http://127.0.0.1:8080/v1",
    includeUsage: true,
    ...(endpoint.apiKey !== undefined &&
      (keyHeader === undefined
        ? { apiKey: endpoint.apiKey }
        : { headers: { [keyHeader]: endpoint.apiKey } })),
  });
  const options = { openaiCompatible: chatEffort(endpoint.effort) };
  return { model: provider(endpoint.model), options };
}

/** A service with an address of its own. Throws invalid_input where only its customer knows that. */
export function loadPreset(name: PresetName): (endpoint: ProviderEndpoint) => Promise<LoadedModel> {
  const preset: Preset = PRESETS[name];
  return async (endpoint) => {
    const baseUrl = endpoint.baseUrl ?? preset.baseUrl;
    if (baseUrl === undefined) {
      throw invalidInput(
        `"baseUrl" (CAIRN_BASE_URL) is missing: ${name} has one for each customer, such as ${preset.exampleUrl}.`,
      );
    }
    return loadOpenAiCompatible({ ...endpoint, baseUrl }, preset.keyHeader);
  };
}
