import { isPlainObject } from "../kernel/json.ts";
import type { ProviderName } from "./model-port.ts";
import { findModel } from "./profiles/find-model.ts";
import { ollamaAddress } from "./providers/ollama.ts";

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
  if (question.provider !== "ollama") return findModel(question.model).window;
  return (await askOllama(question, signal)) ?? findModel(question.model).window;
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
  const body = JSON.stringify({ model: question.model });
  const soon = () => AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]);
  const running = async () => {
    const { models } = await fetchJson(`${address}/api/ps`, { signal: soon() });
    const loaded = listOf(models).find(
      ({ name, model }) => name === question.model || model === question.model,
    );
    return typeof loaded?.context_length === "number" ? loaded.context_length : undefined;
  };
  try {
    const window = await running();
    if (window !== undefined) return window;
    // Without a prompt it only loads the model, which the first message would wait for as well.
    const whileLoading = AbortSignal.any([signal, AbortSignal.timeout(LOADING_MS)]);
    await fetchJson(`${address}/api/generate`, { method: "POST", body, signal: whileLoading });
    const loaded = await running();
    if (loaded !== undefined) return loaded;
    const shown = await fetchJson(`${address}/api/show`, { method: "POST", body, signal: soon() });
    return windowOfShow(shown);
  } catch {
    signal.throwIfAborted();
    return undefined;
  }
}

const ANSWER_MS = 2_000;
/** A large model is read from a slow disk. */
const LOADING_MS = 120_000;

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
