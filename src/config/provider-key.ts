import { join } from "node:path";
import { KEPT_KEYS_FILE, keptKey, type LlmSettings, SERVICES } from "../llm/settings.ts";
import type { Environment } from "../shared/environment.ts";
import type { LayeredValue } from "./setting-layer.ts";

/** The key that the provider's own variable holds, for when no setting gives one. */
export function providerKey(
  provider: keyof typeof SERVICES,
  env: Environment,
): LayeredValue | undefined {
  const name = SERVICES[provider].keyVariable;
  const value = name === undefined ? undefined : env[name]?.trim();
  if (name === undefined || value === undefined || value === "") return undefined;
  return { value, source: { origin: "environment", name } };
}

/** The key that `cairn login` kept, or the command that fetches it; for the service's own address alone. */
export function keptAt(
  userConfigDir: string,
  { provider, baseUrl, apiKeyCommand }: Pick<LlmSettings, "provider" | "baseUrl" | "apiKeyCommand">,
): readonly (readonly [string, LayeredValue])[] {
  if (baseUrl !== undefined || apiKeyCommand !== undefined) return [];
  const file = join(userConfigDir, KEPT_KEYS_FILE);
  const source = { origin: "user" as const, name: file };
  return Object.entries(keptKey(file, provider)).map(([key, value]) => [key, { value, source }]);
}
