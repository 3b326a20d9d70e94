import type { Environment } from "../kernel/environment.ts";
import { presetOf } from "../llm/settings.ts";
import type { LayeredValue } from "./setting-layer.ts";

/** The variables of the providers' own tools. Keys go to the provider they were made for only. */
const KEY_VARIABLES: Readonly<Record<string, string>> = {
  openai: "OPENAI_API_KEY",
  anthropic: "ANTHROPIC_API_KEY",
  google: "GOOGLE_GENERATIVE_AI_API_KEY",
};

/** The key that the provider's own variable holds, for when no setting gives one. */
export function providerKey(provider: string, env: Environment): LayeredValue | undefined {
  const name = KEY_VARIABLES[provider] ?? presetOf(provider)?.keyVariable;
  const value = name === undefined ? undefined : env[name]?.trim();
  if (name === undefined || value === undefined || value === "") return undefined;
  return { value, source: { origin: "environment", name } };
}
