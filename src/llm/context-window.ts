import { isPlainObject } from "../kernel/json.ts";
import type { ProviderName } from "./model-port.ts";
import { ollamaAddress } from "./providers/ollama.ts";

/** Tokens by the beginning of the model's name, from the providers' model pages (late 2025). */
const WINDOWS: readonly (readonly [RegExp, number])[] = [
  [/^gpt-5.*chat/, 128_000],
  [/^gpt-5/, 400_000],
  [/^gpt-4\.1/, 1_047_576],
  [/^gpt-4o|^gpt-4-turbo/, 128_000],
  [/^gpt-oss/, 131_072],
  [/^o[134](-|$)/, 200_000],
  [/^codex-mini/, 200_000],
  [/^claude-/, 200_000],
  [/^gemini-(2|3)/, 1_048_576],
  [/^gemini-1\.5-pro/, 2_097_152],
  [/^deepseek-/, 128_000],
  [/^qwen3-coder/, 262_144],
  [/^(devstral|mistral|codestral|ministral)/, 128_000],
  [/^kimi-k2/, 262_144],
  [/^glm-4\.[67]/, 200_000],
  [/^grok-4/, 256_000],
];

export interface WindowQuestion {
  readonly provider: ProviderName;
  readonly model: string;
  readonly baseUrl: string | undefined;
  /** From the config; wins. */
  readonly configured: number | undefined;
}

/** Tokens that fit into one request, or undefined when nobody knows. */
export async function findContextWindow(
  question: WindowQuestion,
  signal: AbortSignal,
): Promise<number | undefined> {
  if (question.configured !== undefined) return question.configured;
  if (question.provider !== "ollama") return windowFromTable(question.model);
  return (await askOllama(question, signal)) ?? windowFromTable(question.model);
}

/** `vendor/model` names of gateways are looked up without the vendor. */
export function windowFromTable(model: string): number | undefined {
  const bare = model.slice(model.lastIndexOf("/") + 1).toLowerCase();
  return WINDOWS.find(([pattern]) => pattern.test(bare))?.[1];
}

/**
 * What a loaded model runs with (`/api/ps`) is smaller than what it could do (`/api/show`): Ollama
 * cuts longer prompts silently, so the former counts.
 */
async function askOllama(
  question: WindowQuestion,
  signal: AbortSignal,
): Promise<number | undefined> {
  const address = ollamaAddress(question.baseUrl);
  const limit = AbortSignal.any([signal, AbortSignal.timeout(2000)]);
  try {
    const running = await fetchJson(`${address}/api/ps`, { signal: limit });
    const loaded = listOf(running.models).find(
      ({ name, model }) => name === question.model || model === question.model,
    );
    if (typeof loaded?.context_length === "number") return loaded.context_length;
    const shown = await fetchJson(`${address}/api/show`, {
      method: "POST",
      body: JSON.stringify({ model: question.model }),
      signal: limit,
    });
    return windowOfShow(shown);
  } catch {
    signal.throwIfAborted();
    return undefined;
  }
}

function windowOfShow(shown: Record<string, unknown>): number | undefined {
  const parameter = /^num_ctx\s+(\d+)/m.exec(String(shown.parameters ?? ""));
  if (parameter !== null) return Number(parameter[1]);
  const info = isPlainObject(shown.model_info) ? shown.model_info : {};
  const length = Object.entries(info).find(([key]) => key.endsWith(".context_length"))?.[1];
  return typeof length === "number" ? length : undefined;
}

async function fetchJson(url: string, init: RequestInit): Promise<Record<string, unknown>> {
  const response = await fetch(url, init);
  const body: unknown = await response.json();
  return response.ok && isPlainObject(body) ? body : {};
}

function listOf(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isPlainObject) : [];
}
