import { CairnError } from "../shared/errors.ts";
import type { ProviderName } from "./model-port.ts";

export function missingKey(provider: ProviderName): CairnError {
  return new CairnError(
    "unavailable",
    `The agent has no model to work with yet. No API key for ${provider}: run \`cairn\` in a terminal to choose a model, or set CAIRN_API_KEY, or "apiKey" in ~/.config/cairn/config.json. ` +
      'Another provider is chosen with CAIRN_PROVIDER or "provider"; ollama and openai-compatible ' +
      'need no key. The memory works without a model: `cairn recall "…"` and `cairn remember "…"` here, ' +
      "`cairn connect` for an agent that you have.",
  );
}
