import { z } from "zod";
import { withMeta, withTrust } from "../shared/fields.ts";
import { EFFORTS } from "./effort.ts";
import { priceSettings } from "./profiles/find-model.ts";
import { SERVICE_NAMES } from "./profiles/services.ts";

export { KEPT_KEYS_FILE, storedKey } from "./log-ins/keep-key.ts";
export { SERVICES } from "./profiles/services.ts";

export const llmSettings = withTrust(
  z.strictObject({
    provider: z.enum(SERVICE_NAMES).default("openai").describe("Who runs the model of the agent."),
    model: z.string().min(1).optional().describe("The model, by its provider's name."),
    baseUrl: z
      .url()
      .optional()
      .describe("Where the provider is reached, if not at its usual address."),
    apiKey: withMeta(z.string().min(1), { secret: true })
      .optional()
      .describe("Also the provider's own variable, such as OPENAI_API_KEY."),
    apiKeyCommand: z
      .string()
      .min(1)
      .optional()
      .describe("A command that prints the key, such as one of a password manager."),
    api: z
      .enum(["responses", "chat", "messages"])
      .optional()
      .describe(
        "The form of the requests at `baseUrl`; by default what the provider speaks there.",
      ),
    headers: withMeta(z.record(z.string(), z.string()), { secret: true })
      .default({})
      .describe("Sent with every request to the provider."),
    proxy: z
      .url()
      .optional()
      .describe("Through which providers are reached; also HTTPS_PROXY, HTTP_PROXY, ALL_PROXY."),
    noProxy: z
      .string()
      .optional()
      .describe("Hosts that are reached without the proxy, parted by commas; also NO_PROXY."),
    effort: z
      .enum(EFFORTS)
      .optional()
      .describe("How much the model thinks before it answers; by default as its provider does."),
    prices: z
      .record(z.string(), priceSettings)
      .default({})
      .describe(
        "`{model: {input, output, cachedInput, cacheWrite}}`: US dollars for a million tokens, over what is known.",
      ),
    modelData: z
      .enum(["auto", "daily", "off"])
      .optional()
      .describe(
        "Whether windows and prices of models are refreshed from models.dev, at most once a day; by default (`auto`) for services at their own address that cost something.",
      ),
    vision: z
      .boolean()
      .optional()
      .describe("Whether the model sees images; by default what is known of it."),
    contextWindow: z
      .number()
      .int()
      .min(1)
      .optional()
      .describe("Tokens; by default what is known of the model."),
    maxRetries: z.number().int().min(0).max(10).default(4).describe("Of one failed model request."),
  }),
  {
    provider: (value, user) => value === (user ?? "openai"),
    model: "anyone",
    baseUrl: "trusted",
    apiKey: "trusted",
    apiKeyCommand: "trusted",
    api: "trusted",
    headers: "trusted",
    proxy: "trusted",
    noProxy: "trusted",
    effort: "anyone",
    prices: "trusted",
    modelData: "trusted",
    vision: "anyone",
    contextWindow: "trusted",
    maxRetries: "trusted",
  },
);

export type LlmSettings = z.output<typeof llmSettings>;
