import type { ProviderName } from "./model-port.ts";
import { PRESET_NAMES, PRESETS, type Preset, type PresetName } from "./presets.ts";
import type { LoadedModel, ProviderEndpoint } from "./provider-endpoint.ts";
import { loadAnthropic } from "./providers/anthropic.ts";
import { loadGoogle } from "./providers/google.ts";
import { loadOllama } from "./providers/ollama.ts";
import { loadOpenAi } from "./providers/openai.ts";
import { loadOpenAiCompatible, loadPreset } from "./providers/openai-compatible.ts";

export interface Provider {
  readonly defaultModel: string;
  readonly needsKey: boolean;
  /** Imports the provider's library on first use: a start without a message pays for none. */
  load(endpoint: ProviderEndpoint): Promise<LoadedModel>;
}

export const PROVIDER_TABLE: Readonly<Record<ProviderName, Provider>> = {
  openai: { defaultModel: "gpt-5.1", needsKey: true, load: loadOpenAi },
  anthropic: { defaultModel: "claude-sonnet-4-5", needsKey: true, load: loadAnthropic },
  google: { defaultModel: "gemini-2.5-pro", needsKey: true, load: loadGoogle },
  ollama: { defaultModel: "qwen3-coder", needsKey: false, load: loadOllama },
  ...presetProviders(),
  "openai-compatible": { defaultModel: "default", needsKey: false, load: loadOpenAiCompatible },
};

function presetProviders(): Readonly<Record<PresetName, Provider>> {
  const entries = PRESET_NAMES.map((name) => {
    const { defaultModel, keyVariable }: Preset = PRESETS[name];
    return [name, { defaultModel, needsKey: keyVariable !== undefined, load: loadPreset(name) }];
  });
  return Object.fromEntries(entries);
}
