import { z } from "zod";

export const PROVIDERS = ["openai", "anthropic", "google", "ollama", "openai-compatible"] as const;

/** Which model answers, and where. Names are the config file's. */
export const llmSettings = z.strictObject({
  provider: z.enum(PROVIDERS).default("openai"),
  model: z.string().min(1).optional(),
  baseUrl: z.url().optional(),
  apiKey: z.string().min(1).optional(),
  contextWindow: z.number().int().min(1024).optional().describe("Tokens."),
  maxRetries: z.number().int().min(0).max(10).default(4),
});

export type LlmSettings = z.output<typeof llmSettings>;
