import type { ProviderName } from "./model-port.ts";
import { findModel } from "./profiles/find-model.ts";
import { SERVICES } from "./profiles/services.ts";
import {
  loadToRun,
  ollamaAddress,
  runningWindow,
  shownModel,
  wantedWindow,
} from "./providers/ollama-server.ts";

export interface WindowQuestion {
  readonly provider: ProviderName;
  readonly model: string;
  readonly baseUrl: string | undefined;
  /** From the config; wins, but for what a server on this machine really runs with. */
  readonly configured: number | undefined;
  readonly apiKey?: string | undefined;
  /** Default: Node.js's own. */
  readonly fetch?: typeof globalThis.fetch;
}

/** Tokens that fit into one request, or undefined when nobody knows. */
export async function findContextWindow(
  question: WindowQuestion,
  signal: AbortSignal,
): Promise<number | undefined> {
  const { provider, model, configured } = question;
  // Only a server of that form says what it runs with.
  if (SERVICES[provider].api !== "ollama") return configured ?? findModel(model).window;
  return (await askOllama(question, signal)) ?? configured ?? findModel(model).window;
}

/**
 * What a loaded model runs with is smaller than what it could do, and may be smaller than what was
 * asked for: Ollama cuts longer prompts silently, so what runs counts.
 */
async function askOllama(
  { model, baseUrl, configured, apiKey, fetch = globalThis.fetch }: WindowQuestion,
  signal: AbortSignal,
): Promise<number | undefined> {
  const key = apiKey === undefined ? {} : { apiKey };
  const server = { address: ollamaAddress(baseUrl), model, fetch, ...key };
  const within = (milliseconds: number) =>
    AbortSignal.any([signal, AbortSignal.timeout(milliseconds)]);
  try {
    const shown = await shownModel(server, within(ANSWER_MS));
    if (shown === undefined) return await runningWindow(server, within(ANSWER_MS));
    const wanted = wantedWindow(shown, configured);
    await loadToRun(server, wanted, within(LOADING_MS));
    return (await runningWindow(server, within(ANSWER_MS))) ?? wanted;
  } catch {
    signal.throwIfAborted();
    return undefined;
  }
}

const ANSWER_MS = 2_000;
/** A large model is read from a slow disk. */
const LOADING_MS = 120_000;
