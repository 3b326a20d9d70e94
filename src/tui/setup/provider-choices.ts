import type { Service } from "../../agent/index.ts";

export interface ProviderChoice {
  /** As in the config. */
  readonly provider: string;
  readonly label: string;
  readonly needsKey: boolean;
  /** The variable of the provider's own tools that may hold a key. */
  readonly keyVariable?: string;
  /** Asks for the address, which each customer has an own one of; an example. */
  readonly exampleUrl?: string;
  /** Where a key is made. */
  readonly keyPage?: string;
  /** Offered first. */
  readonly model: string;
}

export const PROVIDER_CHOICES: readonly ProviderChoice[] = [
  { provider: "ollama", label: "Ollama", needsKey: false, model: "qwen3-coder" },
  {
    provider: "anthropic",
    label: "Anthropic, with an API key",
    needsKey: true,
    keyVariable: "ANTHROPIC_API_KEY",
    keyPage: "console.anthropic.com",
    model: "claude-sonnet-5-5",
  },
  {
    provider: "openai",
    label: "OpenAI, with an API key",
    needsKey: true,
    keyVariable: "OPENAI_API_KEY",
    keyPage: "platform.openai.com",
    model: "gpt-5.5",
  },
  {
    provider: "google",
    label: "Google, with an API key",
    needsKey: true,
    keyVariable: "GOOGLE_GENERATIVE_AI_API_KEY",
    keyPage: "aistudio.google.com",
    model: "gemini-3.8-flash",
  },
  {
    provider: "openai-compatible",
    label: "Any server that speaks OpenAI's protocol, by its URL",
    needsKey: false,
    exampleUrl: "http://127.0.0.1:8080/v1",
    model: "default",
  },
];

/** Services with an address of their own. */
export function serviceChoices(
  presets: Readonly<Record<string, Service>>,
): readonly ProviderChoice[] {
  return Object.entries(presets).map(([provider, preset]) => ({
    provider,
    label: preset.label,
    needsKey: preset.keyVariable !== undefined && preset.keyIsOptional !== true,
    model: preset.defaultModel,
    ...(preset.keyVariable !== undefined && { keyVariable: preset.keyVariable }),
    ...(preset.exampleUrl !== undefined && { exampleUrl: preset.exampleUrl }),
    ...(preset.keyPage !== undefined && { keyPage: preset.keyPage }),
  }));
}
