/** A service that speaks OpenAI's protocol at an address of its own. */
export interface Preset {
  /** As a person knows it. */
  readonly label: string;
  /** Absent: each customer has an own one, and `baseUrl` gives it. */
  readonly baseUrl?: string;
  /** An own address, as an example. */
  readonly exampleUrl?: string;
  /** The variable of the provider's own tools that holds the key; absent: none is needed. */
  readonly keyVariable?: string;
  /** The key goes into this header instead of `Authorization`. */
  readonly keyHeader?: string;
  /** Where a key is made. */
  readonly keyPage?: string;
  readonly defaultModel: string;
}

/** Addresses and variables from the services' own documentation. */
export const PRESETS = {
  openrouter: {
    label: "OpenRouter",
    baseUrl: "https://openrouter.ai/api/v1",
    keyVariable: "OPENROUTER_API_KEY",
    keyPage: "openrouter.ai/keys",
    defaultModel: "anthropic/claude-sonnet-4.5",
  },
  azure: {
    label: "Azure OpenAI",
    exampleUrl: "https://NAME.openai.azure.com/openai/v1",
    keyVariable: "AZURE_OPENAI_API_KEY",
    keyHeader: "api-key",
    defaultModel: "gpt-5.1",
  },
  bedrock: {
    label: "Amazon Bedrock",
    exampleUrl: "https://bedrock-runtime.us-west-2.amazonaws.com/openai/v1",
    keyVariable: "AWS_BEARER_TOKEN_BEDROCK",
    defaultModel: "openai.gpt-oss-120b-1:0",
  },
  groq: {
    label: "Groq",
    baseUrl: "https://api.groq.com/openai/v1",
    keyVariable: "GROQ_API_KEY",
    keyPage: "console.groq.com/keys",
    defaultModel: "openai/gpt-oss-120b",
  },
  mistral: {
    label: "Mistral",
    baseUrl: "https://api.mistral.ai/v1",
    keyVariable: "MISTRAL_API_KEY",
    keyPage: "console.mistral.ai",
    defaultModel: "devstral-medium-latest",
  },
  deepseek: {
    label: "DeepSeek",
    baseUrl: "https://api.deepseek.com/v1",
    keyVariable: "DEEPSEEK_API_KEY",
    keyPage: "platform.deepseek.com",
    defaultModel: "deepseek-chat",
  },
  zai: {
    label: "z.ai",
    baseUrl: "https://api.z.ai/api/paas/v4",
    keyVariable: "ZAI_API_KEY",
    keyPage: "z.ai",
    defaultModel: "glm-4.6",
  },
  lmstudio: {
    label: "LM Studio",
    baseUrl: "http://127.0.0.1:1234/v1",
    defaultModel: "default",
  },
} as const satisfies Readonly<Record<string, Preset>>;

export type PresetName = keyof typeof PRESETS;

export const PRESET_NAMES = Object.keys(PRESETS) as readonly PresetName[];

export function presetOf(provider: string): Preset | undefined {
  return Object.hasOwn(PRESETS, provider) ? PRESETS[provider as PresetName] : undefined;
}
