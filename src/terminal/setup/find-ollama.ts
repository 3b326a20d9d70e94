import { isPlainObject } from "../../shared/json.ts";
import { stripControlLine } from "../../shared/text.ts";

export const OLLAMA_URL = "http://127.0.0.1:11434";
/** A server on this machine answers at once or is not there. */
const ANSWER_MS = 500;

/** Names of the models that an Ollama on this machine has; undefined when none answers. */
export async function findOllama(url = OLLAMA_URL): Promise<readonly string[] | undefined> {
  try {
    const response = await fetch(`${url}/api/tags`, { signal: AbortSignal.timeout(ANSWER_MS) });
    const body: unknown = await response.json();
    if (!response.ok || !isPlainObject(body) || !Array.isArray(body.models)) return undefined;
    return body.models
      .map((model: unknown) => (isPlainObject(model) ? model.name : undefined))
      .filter((name) => typeof name === "string")
      .map(stripControlLine);
  } catch {
    // Not running, not Ollama, or too slow: all the same to a person who is choosing.
    return undefined;
  }
}
