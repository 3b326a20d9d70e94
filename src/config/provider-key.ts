import type { Environment } from "../kernel/environment.ts";
import { SERVICES } from "../llm/settings.ts";
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
