import { PRESET_NAMES, PRESETS, type PresetName } from "./presets.ts";
import type { Service } from "./service.ts";

const MAKERS = {
  openai: {
    label: "OpenAI",
    api: "responses",
    baseUrl: "https://api.openai.com/v1",
    // OpenAI-compatible servers implement chat completions; `api` overrides it.
    apiAtOtherUrls: "chat",
    keyVariable: "OPENAI_API_KEY",
    keyPage: "platform.openai.com",
    defaultModel: "gpt-5.5",
  },
  anthropic: {
    label: "Anthropic",
    api: "messages",
    keyVariable: "ANTHROPIC_API_KEY",
    keyPage: "console.anthropic.com",
    models: {
      baseUrl: "https://api.anthropic.com/v1",
      path: "/models?limit=1000",
      keyHeader: "x-api-key",
      headers: { "anthropic-version": "2023-06-01" },
    },
    defaultModel: "claude-sonnet-5-5",
  },
  google: {
    label: "Google",
    api: "gemini",
    keyVariable: "GOOGLE_GENERATIVE_AI_API_KEY",
    keyPage: "aistudio.google.com",
    models: {
      baseUrl: "https://generativelanguage.googleapis.com/v1beta",
      path: "/models?pageSize=1000",
      keyHeader: "x-goog-api-key",
    },
    defaultModel: "gemini-3.8-flash",
  },
  ollama: {
    label: "Ollama",
    api: "ollama",
    models: { path: "/v1/models" },
    defaultModel: "qwen3-coder",
    cutsSilently: true,
    isFree: true,
  },
  "openai-compatible": {
    label: "Any server with chat completions",
    publishedAs: null,
    api: "chat",
    baseUrl: "http://127.0.0.1:8080/v1",
    defaultModel: "default",
  },
} as const satisfies Readonly<Record<string, Service>>;

export type ServiceName = keyof typeof MAKERS | PresetName;

export const SERVICES: Readonly<Record<ServiceName, Service>> = { ...MAKERS, ...PRESETS };

export const SERVICE_NAMES = [
  "openai",
  "anthropic",
  "google",
  "ollama",
  "openai-compatible",
  ...PRESET_NAMES,
] as const satisfies readonly ServiceName[];

export function needsKey(service: Service): boolean {
  return service.keyVariable !== undefined && service.keyIsOptional !== true;
}
