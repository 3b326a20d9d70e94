import { z } from "zod";
import { withMeta, withTrust } from "../shared/fields.ts";
import { EFFORTS } from "./effort.ts";
import { priceSettings } from "./profiles/find-model.ts";
import { SERVICE_NAMES } from "./profiles/services.ts";

export { loadStoredKey, STORED_KEYS_FILE } from "./logins/store-key.ts";
export { SERVICES } from "./profiles/services.ts";

export const llmSettings = withTrust(
  z.strictObject({
    provider: z.enum(SERVICE_NAMES).default("openai").describe("Provider of the agent's model."),
    model: z.string().min(1).optional().describe("Model name, as the provider defines it."),
    baseUrl: z.url().optional().describe("Base URL of the provider, if it is not the default."),
    apiKey: withMeta(z.string().min(1), { secret: true })
      .optional()
      .describe("API key; the provider's own variable, such as OPENAI_API_KEY, also works."),
    apiKeyCommand: z
      .string()
      .min(1)
      .optional()
      .describe("Command that prints the API key, such as a password manager's."),
    api: z
      .enum(["responses", "chat", "messages"])
      .optional()
      .describe("API protocol at `baseUrl`; default: the provider's own."),
    headers: withMeta(z.record(z.string(), z.string()), { secret: true })
      .default({})
      .describe("HTTP headers sent with every request to the provider."),
    proxy: z
      .url()
      .optional()
      .describe("Proxy for requests to providers: HTTPS_PROXY, HTTP_PROXY, ALL_PROXY."),
    noProxy: z
      .string()
      .optional()
      .describe("Hosts that bypass the proxy, separated by commas: NO_PROXY."),
    effort: z
      .enum(EFFORTS)
      .optional()
      .describe("Thinking effort of the model; default: the provider's."),
    prices: z
      .record(z.string(), priceSettings)
      .default({})
      .describe(
        "`{model: {input, output, cachedInput, cacheWrite}}`: US dollars per million tokens; overrides the known prices.",
      ),
    modelData: z
      .enum(["auto", "daily", "off"])
      .optional()
      .describe(
        "Refresh context windows and prices of models from models.dev, at most once a day; `auto` (default) does so for paid services at their default URL.",
      ),
    vision: z
      .boolean()
      .optional()
      .describe("True if the model accepts images; default: known from its name."),
    contextWindow: z
      .number()
      .int()
      .min(1)
      .optional()
      .describe("Context window in tokens; default: known from the model's name."),
    maxRetries: z
      .number()
      .int()
      .min(0)
      .max(10)
      .optional()
      .describe("Maximum number of retries of a failed model request."),
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

/** Settings of users. Proxies come from the environment, the number of retries is fixed. */
export const userLlmSettings = llmSettings.omit({ proxy: true, noProxy: true, maxRetries: true });

export type LlmSettings = z.output<typeof llmSettings>;
