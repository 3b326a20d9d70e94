export interface ProviderChoice {
  /** As in the config. */
  readonly provider: string;
  readonly label: string;
  readonly needsKey: boolean;
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
    keyPage: "console.anthropic.com",
    model: "claude-sonnet-4-5",
  },
  {
    provider: "openai",
    label: "OpenAI, with an API key",
    needsKey: true,
    keyPage: "platform.openai.com",
    model: "gpt-5.1",
  },
  {
    provider: "google",
    label: "Google, with an API key",
    needsKey: true,
    keyPage: "aistudio.google.com",
    model: "gemini-2.5-pro",
  },
  {
    provider: "openai-compatible",
    label: "Any server that speaks OpenAI's protocol, by its URL",
    needsKey: false,
    model: "default",
  },
];
