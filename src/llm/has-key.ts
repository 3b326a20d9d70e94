import { needsKey, SERVICES } from "./profiles/services.ts";
import type { LlmSettings } from "./settings.ts";

/** True if the service is usable: it has a key or needs none. */
export function hasKey({
  provider,
  apiKey,
  apiKeyCommand,
}: Pick<LlmSettings, "provider" | "apiKey" | "apiKeyCommand">): boolean {
  return apiKey !== undefined || apiKeyCommand !== undefined || !needsKey(SERVICES[provider]);
}
